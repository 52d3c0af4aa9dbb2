package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
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
