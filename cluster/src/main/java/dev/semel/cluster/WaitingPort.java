package dev.semel.cluster;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * The port for members, while this server has no set: where it is told to which one it belongs. One connection at a time, for
 * one message.
 */
final class WaitingPort implements AutoCloseable {
    private static final int CONNECTIONS_WAITING_MAX = 8;
    private static final int MESSAGE_BYTES_TRUSTED = 1 << 12;
    private static final int CONNECTION_MS_MAX = 2000;

    private final List<ServerSocket> sockets = new ArrayList<>();
    private final List<Thread> acceptors = new ArrayList<>();
    private final Consumer<Invitation> accept;
    private final Consumer<String> refused;

    private WaitingPort(Consumer<Invitation> accept, Consumer<String> refused) {
        this.accept = accept;
        this.refused = refused;
    }

    /**
     * Where members could reach it: without security, only on loopback addresses.
     *
     * @param accept a {@link CommandException} says why not
     * @param refused is told of connections that were not understood
     */
    static WaitingPort open(
            List<String> addresses,
            int port,
            @Nullable MemberSecurity security,
            Consumer<Invitation> accept,
            Consumer<String> refused)
            throws IOException {
        WaitingPort opened = new WaitingPort(accept, refused);
        try {
            for (String each : addresses) {
                opened.listen(InetAddress.getByName(each), port, security);
            }
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private void listen(InetAddress where, int port, @Nullable MemberSecurity security) throws IOException {
        InetAddress address = where;
        if (security == null && !where.isLoopbackAddress()) {
            if (!where.isAnyLocalAddress()) {
                return;
            }
            address = InetAddress.getLoopbackAddress();
        }
        ServerSocket socket = security == null ? new ServerSocket() : encrypted(security);
        sockets.add(socket);
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(address, port), CONNECTIONS_WAITING_MAX);
        acceptors.add(Thread.ofVirtual().name("semel-waiting-" + port).start(() -> run(socket)));
    }

    private static ServerSocket encrypted(MemberSecurity security) throws IOException {
        SSLServerSocket socket =
                (SSLServerSocket) security.context().getServerSocketFactory().createServerSocket();
        socket.setNeedClientAuth(true);
        return socket;
    }

    private void run(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                connection.setSoTimeout(CONNECTION_MS_MAX);
                answer(connection);
            } catch (IOException | RuntimeException e) {
                if (!socket.isClosed()) {
                    refused.accept("a connection to the port for members was refused: " + e.getMessage());
                }
            }
        }
    }

    private void answer(Socket connection) throws IOException {
        Frame frame = new MessageReader(connection.getInputStream(), MESSAGE_BYTES_TRUSTED).read();
        if (frame == null || !(frame.message() instanceof OpMsg asked)) {
            return;
        }
        RawDocument reply = reply(asked.body());
        connection.getOutputStream().write(MessageWriter.encode(OpMsg.of(2, asked.requestId(), reply)));
    }

    private RawDocument reply(RawDocument command) {
        try {
            accept.accept(Invitation.parse(command));
            return new BsonWriter().put("ok", 1.0).finish();
        } catch (CommandException e) {
            ErrorCode code = e.code();
            return new BsonWriter()
                    .put("ok", 0.0)
                    .put("errmsg", e.text())
                    .put("code", code.number())
                    .put("codeName", code.codeName())
                    .finish();
        }
    }

    /** The port is free afterwards: a closed socket keeps it until the thread that waits for connections has noticed. */
    @Override
    public void close() {
        for (ServerSocket each : sockets) {
            try {
                each.close();
            } catch (IOException e) {
                // The operating system has it already.
            }
        }
        for (Thread each : acceptors) {
            try {
                each.join(CONNECTION_MS_MAX);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
