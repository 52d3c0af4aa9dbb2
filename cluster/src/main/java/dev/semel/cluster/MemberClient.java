package dev.semel.cluster;

import dev.semel.server.tls.Tls;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Predicate;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Asks other members, each time on a connection for one command.
 *
 * @param tls of this member's port for clients, which the others' ports have too; null for none
 * @param reaches false for members whom it cannot ask, because a test has cut the link
 */
record MemberClient(@Nullable Tls tls, Predicate<String> reaches) {
    private static final int REPLY_BYTES_TRUSTED = 1 << 16;
    private static final RawDocument HELLO =
            new BsonWriter().put("hello", 1).put("$db", "admin").finish();

    MemberClient(@Nullable Tls tls) {
        this(tls, any -> true);
    }

    /** What it is, as it tells everybody, over its port for clients. */
    RawDocument hello(String address, Duration atMost) throws IOException {
        return hello(address, atMost, HELLO);
    }

    /** The same, and lets it know of a cluster time. */
    RawDocument hello(String address, Duration atMost, long clusterTime) throws IOException {
        BsonWriter command = new BsonWriter().put("hello", 1).put("$db", "admin");
        command.startDocument("$clusterTime")
                .put("clusterTime", new Value.Timestamp(clusterTime))
                .end();
        return hello(address, atMost, command.finish());
    }

    private RawDocument hello(String address, Duration atMost, RawDocument command) throws IOException {
        if (!reaches.test(address)) {
            throw new IOException("a fail point has cut the link");
        }
        int millis = Math.toIntExact(atMost.toMillis());
        int port = SetOptions.port(address);
        try (Socket plain = connect(address, port, millis)) {
            if (tls == null || tls.mode() == Tls.Mode.allowTLS) {
                return run(plain, address, command);
            }
            try (Socket encrypted = tls.connect(plain, SetOptions.host(address), port)) {
                return run(encrypted, address, command);
            }
        }
    }

    /** Over its port for members, of one that waits there for its set. */
    static RawDocument ask(String address, @Nullable MemberSecurity security, RawDocument command, Duration atMost)
            throws IOException {
        int millis = Math.toIntExact(atMost.toMillis());
        try (Socket plain = connect(address, SetOptions.replicationPort(address), millis)) {
            if (security == null) {
                return run(plain, address, command);
            }
            try (SSLSocket encrypted = (SSLSocket) security.context()
                    .getSocketFactory()
                    .createSocket(plain, SetOptions.host(address), SetOptions.replicationPort(address), true)) {
                return run(encrypted, address, command);
            }
        }
    }

    private static Socket connect(String address, int port, int millis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(SetOptions.host(address), port), millis);
            socket.setSoTimeout(millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static RawDocument run(Socket socket, String address, RawDocument command) throws IOException {
        socket.getOutputStream().write(MessageWriter.encode(OpMsg.of(1, 0, command)));
        Frame reply = new MessageReader(socket.getInputStream(), REPLY_BYTES_TRUSTED).read();
        if (reply == null || !(reply.message() instanceof OpMsg answer)) {
            throw new IOException(address + " has closed the connection");
        }
        return answer.body();
    }
}
