package dev.semel.conformance.subject;

import dev.semel.cluster.Cluster;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A replica set of three, any of which may be primary from one command to the next. */
final class ThreeMembers implements Deployment {
    private static final int MEMBERS = 3;
    private static final Duration ELECTION_AT_MOST = Duration.ofSeconds(30);

    private static final Set<Value> NOT_PRIMARY_ANY_MORE = Stream.of(
                    ErrorCode.NotWritablePrimary,
                    ErrorCode.NotPrimaryNoSecondaryOk,
                    ErrorCode.InterruptedDueToReplStateChange,
                    ErrorCode.InterruptedAtShutdown)
            .map(each -> Value.of(each.number()))
            .collect(Collectors.toUnmodifiableSet());

    private final Cluster cluster;

    ThreeMembers() throws IOException {
        cluster = Cluster.start(MEMBERS);
        primary();
    }

    private Server primary() {
        try {
            while (true) {
                Server primary = cluster.member(cluster.awaitPrimary(ELECTION_AT_MOST));
                if (primary != null) {
                    return primary;
                }
            }
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String connectionString() {
        return cluster.connectionString();
    }

    @Override
    public RawDocument run(RawDocument command) {
        while (true) {
            try (LocalConnection connection = primary().connect()) {
                RawDocument reply = connection.run(command);
                Value code = reply.get("code");
                if (code == null || !NOT_PRIMARY_ANY_MORE.contains(code)) {
                    return reply;
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            cluster.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
