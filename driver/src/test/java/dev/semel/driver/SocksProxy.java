package dev.semel.driver;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A SOCKS5 proxy for which every name is this machine. It wants a password if it was given one. */
final class SocksProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final @Nullable String userAndPassword;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** The user and the password with a colon between them, or null. */
    SocksProxy(@Nullable String userAndPassword) throws IOException {
        this.userAndPassword = userAndPassword;
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The hosts that connections were wanted to, as they were named. */
    List<String> asked() {
        return asked;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            var in = new DataInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            in.readUnsignedByte();
            in.readNBytes(in.readUnsignedByte());
            out.write(new byte[] {5, (byte) (userAndPassword == null ? 0 : 2)});
            if (userAndPassword != null) {
                in.readUnsignedByte();
                String given = text(in) + ":" + text(in);
                boolean isRight = given.equals(userAndPassword);
                out.write(new byte[] {1, (byte) (isRight ? 0 : 1)});
                if (!isRight) {
                    return;
                }
            }
            in.readNBytes(4);
            asked.add(text(in));
            try (var server = new Socket(InetAddress.getLoopbackAddress(), in.readUnsignedShort())) {
                open.add(server);
                // The address it bound, here as a name.
                out.write(new byte[] {5, 0, 0, 3, 1, 'x', 0, 1});
                Thread.ofVirtual().start(() -> copy(server, client));
                copy(client, server);
            }
        } catch (IOException e) {
            // One of the two has gone.
        }
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8);
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // Over.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
