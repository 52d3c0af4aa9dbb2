package dev.semel.driver.connection;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Opens sockets, encrypted or not. */
final class Transport {
    private final ConnectionSettings settings;

    Transport(ConnectionSettings settings) {
        this.settings = settings;
    }

    /** The caller closes what {@code opened} was handed, also when this fails half-way. */
    Socket open(ServerAddress address, Deadline deadline, Consumer<Socket> opened) throws IOException {
        if (address.isUnixSocket()) {
            throw new MongoConfigurationException("Unix domain sockets are not supported: " + address);
        }
        Socket socket = connect(address, deadline, opened);
        if (!settings.tls().enabled()) {
            return socket;
        }
        socket.setSoTimeout(timeoutMs(deadline));
        SSLSocket encrypted = Tls.over(socket, address, settings.tls());
        opened.accept(encrypted);
        encrypted.startHandshake();
        return encrypted;
    }

    private Socket connect(ServerAddress address, Deadline deadline, Consumer<Socket> opened) throws IOException {
        IOException first = null;
        for (InetAddress each : InetAddress.getAllByName(address.host())) {
            var socket = new Socket();
            opened.accept(socket);
            try {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.connect(new InetSocketAddress(each, address.port()), timeoutMs(deadline));
                return socket;
            } catch (IOException e) {
                socket.close();
                first = first == null ? e : first;
            }
        }
        throw first == null ? new IOException("no address for " + address.host()) : first;
    }

    private static int timeoutMs(Deadline deadline) throws SocketTimeoutException {
        if (!deadline.isSet()) {
            return 0;
        }
        long ms = deadline.remainingMs();
        if (ms <= 0) {
            throw new SocketTimeoutException("no time left to connect");
        }
        return (int) Math.min(ms, Integer.MAX_VALUE);
    }

    static void closeQuietly(@Nullable Socket socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is no longer used, and what it could not flush nobody waits for.
            }
        }
    }
}
