package dev.semel.cluster;

import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;

/** A member whose parts are replaced, for tests in other packages. */
public final class MemberHandle implements AutoCloseable {
    private static final String SET = "rs0";

    private final Member member;

    private MemberHandle(Member member) {
        this.member = member;
    }

    /** Starts the consensus engine of a member. */
    @FunctionalInterface
    public interface Engine {
        ReplicationNode start(ReplicationOptions options) throws IOException;
    }

    /** Short, so that more happens while a fault lasts. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(800);

    /**
     * Starts a member on what is in its folder.
     *
     * @param isDurable whether its data is there too, besides the log
     */
    public static MemberHandle start(
            List<String> members,
            String self,
            Path folder,
            boolean isDurable,
            InstantSource clock,
            Engine engine,
            UnaryOperator<Store> opened)
            throws IOException {
        SetOptions set = new SetOptions(SET, members, self, folder.resolve("log"), ELECTION_TIMEOUT);
        ServerOptions options = isDurable ? ServerOptions.directory(folder.resolve("data")) : ServerOptions.memory();
        int port = Integer.parseInt(self.substring(self.lastIndexOf(':') + 1));
        return new MemberHandle(Member.start(
                options.port(port),
                set,
                new MemberParts(clock, (replication, links) -> engine.start(replication), opened)));
    }

    /** For any driver. */
    public static String connectionString(List<String> members) {
        return "mongodb://" + String.join(",", members) + "/?replicaSet=" + SET;
    }

    /** An entry of the log in which each retryable write was made by another session. Parts of long commits stay as they are. */
    public static byte[] underOtherSessions(byte[] entry) {
        if (!(EntryCodec.decode(entry) instanceof EntryCodec.Whole whole)) {
            return entry;
        }
        List<CommitRecord> records = whole.decoded();
        for (CommitRecord each : records) {
            // A byte of the session's id; what was decoded belongs to nobody else.
            each.forEach(Fact.NumberUsed.class, used -> each.key(used.row())[1] ^= 1);
        }
        return EntryCodec.encode(records, Integer.MAX_VALUE).getFirst();
    }

    public Server server() {
        return member.server();
    }

    public boolean isWritablePrimary() {
        return member.isWritablePrimary();
    }

    /** Closes the server and opens it on the same data; returns at once. */
    public void reopen() {
        member.reopen("of a test", set -> set);
    }

    @Override
    public void close() {
        member.close();
    }
}
