package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Cluster times from the future: another member's clock may have been ahead, or a client is wrong. */
class ClusterTimeLimitTest {
    private static RawDocument ping(LocalConnection connection, Duration ahead) {
        long time = Instant.now().plus(ahead).getEpochSecond() << 32;
        BsonWriter ping = new BsonWriter().put("ping", 1).put("$db", "admin");
        ping.startDocument("$clusterTime")
                .put("clusterTime", new Value.Timestamp(time))
                .end();
        return connection.run(ping.finish());
    }

    private static Value code(RawDocument reply) {
        return reply.get("code") == null ? Value.of(0) : reply.get("code");
    }

    @Test
    void timeOfAMemberWhoseClockIsAheadIsTaken() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                LocalConnection connection = server.connect()) {
            assertThat(code(ping(connection, Duration.ofDays(364)))).isEqualTo(Value.of(0));
            assertThat(code(ping(connection, Duration.ofDays(366)))).isEqualTo(Value.of(209));
        }
    }

    private static long clusterTime(RawDocument reply) {
        return reply.get("$clusterTime") instanceof Value.Doc(RawDocument time)
                        && time.get("clusterTime") instanceof Value.Timestamp(long value)
                ? value >>> 32
                : 0;
    }

    private static int port(Server server) {
        String address = server.address();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** Times are not signed, so only users are believed; a little later is what other members know. */
    @Test
    void clientThatIsNotAuthenticatedMovesNoClockFar() throws IOException {
        Instant now = Instant.now();
        try (Server server = Server.start(ServerOptions.memory().accessControl());
                LocalConnection inside = server.connect()) {
            hello(server, now.plus(Duration.ofDays(300)));
            assertThat(clusterTime(ping(inside, Duration.ZERO)))
                    .isLessThan(now.plus(Duration.ofDays(1)).getEpochSecond());
            hello(server, now.plusSeconds(50));
            assertThat(clusterTime(ping(inside, Duration.ZERO)))
                    .isBetween(
                            now.plusSeconds(50).getEpochSecond(),
                            now.plusSeconds(300).getEpochSecond());
            assertThat(clusterTime(ping(inside, Duration.ofDays(300))))
                    .isGreaterThanOrEqualTo(now.plus(Duration.ofDays(300)).getEpochSecond());
        }
    }

    private static void hello(Server server, Instant seen) throws IOException {
        BsonWriter hello = new BsonWriter().put("hello", 1).put("$db", "admin");
        hello.startDocument("$clusterTime")
                .put("clusterTime", new Value.Timestamp(seen.getEpochSecond() << 32))
                .end();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(1, 0, hello.finish())));
            assertThat(new MessageReader(socket.getInputStream(), 1 << 16).read())
                    .isNotNull();
        }
    }

    @Test
    void limitIsAParameter() throws IOException {
        ServerOptions options = ServerOptions.memory().parameters(Map.of("maxAcceptableLogicalClockDriftSecs", "60"));
        try (Server server = Server.start(options);
                LocalConnection connection = server.connect()) {
            assertThat(code(ping(connection, Duration.ofSeconds(30)))).isEqualTo(Value.of(0));
            assertThat(code(ping(connection, Duration.ofSeconds(90)))).isEqualTo(Value.of(209));
        }
    }
}
