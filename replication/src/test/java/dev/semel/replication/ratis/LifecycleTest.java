package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.RoleView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that begin and end. */
class LifecycleTest {
    @TempDir
    Path folder;

    @Test
    void failureOfTheStateStopsTheMemberAlone() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            set.write("x");
            var follower = set.followers(leader).getFirst();
            set.state(follower).failAt("y");
            set.write("y");
            LocalSet.await(
                    "the failure",
                    () -> set.running(follower).fatal().get() instanceof IllegalStateException failure
                            && "Cannot apply y".equals(failure.getMessage()));
            set.write("z");
            assertThat(set.state(follower).entries()).containsExactly("x");
            LocalSet.await(
                    "the end of the member", () -> set.engine(follower).role().role() == RoleView.Role.STOPPED);
        }
    }

    /** As it does when one of its threads fails, and says nothing. */
    @Test
    void groupThatRatisClosesIsAFailure() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var follower = set.followers(set.leader()).getFirst();
            ((RatisEngine) set.engine(follower)).division.close();
            LocalSet.await(
                    "the failure",
                    () -> set.running(follower).fatal().get() instanceof IllegalStateException failure
                            && String.valueOf(failure.getMessage()).startsWith("Ratis has closed the group"));
            set.write("x");
        }
    }

    @Test
    void closedMemberAnswersNotWritable() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var leader = set.leader();
            long term = set.state(leader).writableTerm();
            var engine = set.engine(leader);
            var running = set.running(leader);
            set.stop(leader);
            assertThat(LocalSet.get(engine.propose(new byte[] {1}, term))).isInstanceOf(Outcome.NotWritable.class);
            assertThat(LocalSet.get(engine.barrier())).isInstanceOf(Outcome.NotWritable.class);
            assertThat(running.fatal().get()).isNull();
        }
    }

    @Test
    void memberOfOneLeadsItself() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            set.start("a", Membership.of(set.add("a")));
            set.writeMany("entry ", 10);
            assertThat(set.state("a").entries()).hasSize(10);
        }
    }

    /** It is the caller's JVM: it must not end with this node, as Ratis would have it. */
    @Test
    void portThatIsInUseIsSaid() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> RatisNode.start(ReplicationOptions.of("a", "127.0.0.1", port, folder)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("Cannot listen for members of the replica set at 127.0.0.1:" + port)
                    .hasMessageEndingWith("Address already in use");
        }
    }

    /** Ratis would take them for itself, say nothing of them, and end the JVM. */
    @Test
    void uncaughtExceptionsOfTheApplicationStayItsOwn() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            set.start("a", Membership.of(set.add("a")));
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isNull();
        }
    }

    @Test
    void listensBeyondLoopbackOnlyWithTls() {
        assertThatThrownBy(() -> RatisNode.start(ReplicationOptions.of("a", "0.0.0.0", LocalSet.freePort(), folder)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only with TLS");
    }
}
