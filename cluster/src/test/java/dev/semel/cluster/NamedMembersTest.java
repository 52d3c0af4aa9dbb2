package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.LocalConnection;
import dev.semel.server.ServerOptions;
import dev.semel.server.replica.SetConfig;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts with other members than those that are remembered. */
@Timeout(120)
class NamedMembersTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private List<String> addresses;
    private String self;

    @BeforeEach
    void addresses() throws IOException {
        addresses = Cluster.freeAddresses(3);
        self = addresses.getFirst();
    }

    private Member start(List<String> named) throws IOException {
        SetOptions set = new SetOptions("rs0", named, self, folder.resolve("log"), SetOptions.ELECTION_TIMEOUT);
        return Member.start(ServerOptions.directory(folder.resolve("data")).port(SetOptions.port(self)), set);
    }

    private static RawDocument startupWarnings(Member member) {
        try (LocalConnection connection = member.server().connect()) {
            return connection.run(new BsonWriter()
                    .put("getLog", "startupWarnings")
                    .put("$db", "admin")
                    .finish());
        }
    }

    private static void awaitPrimary(Member member) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!member.isWritablePrimary()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void theConfigurationCountsAndTheServerSaysSo() throws Exception {
        try (Member member = start(List.of(self))) {
            awaitPrimary(member);
            assertThat(startupWarnings(member).toString()).doesNotContain("--members");
        }
        try (Member member = start(addresses)) {
            awaitPrimary(member);
            assertThat(startupWarnings(member).toString())
                    .contains("--members names " + String.join(", ", addresses))
                    .contains("has the members " + self + ", which count: correct or omit --members");
        }
        try (Member member = start(List.of(self))) {
            assertThat(startupWarnings(member).toString()).doesNotContain("--members");
        }
    }

    /** Nobody would be elected, and the server would not say why. */
    @Test
    void otherMembersAreRefusedAsLongAsThereIsNoConfiguration() throws Exception {
        List<String> two = addresses.subList(0, 2);
        start(two).close();
        assertThatThrownBy(() -> start(addresses))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was begun with the members " + String.join(", ", two))
                .hasMessageContaining("--members names " + String.join(", ", addresses));
        start(List.of(addresses.get(1), self)).close();
    }

    @Test
    void otherNameOfTheSetIsRefusedIfAnotherMemberAnswers() throws Exception {
        String other = addresses.get(1);
        SetOptions set = new SetOptions(
                "rs1", List.of(self, other), other, folder.resolve("other"), SetOptions.ELECTION_TIMEOUT);
        try (Member member =
                Member.start(ServerOptions.directory(folder.resolve("data1")).port(SetOptions.port(other)), set)) {
            assertThat(member.isWritablePrimary()).isFalse();
            assertThatThrownBy(() -> start(List.of(self, other)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(other + ", which is one of the members of this set, belongs to the replica"
                            + " set 'rs1', and this server to 'rs0'");
        }
        start(List.of(self, other)).close();
    }

    @Test
    void aMemberThatWasRemovedSaysWhatItLacks() {
        SetConfig others = SetConfig.initial("rs0", addresses.subList(1, 3), 1000);
        assertThat(NamedMembers.NONE.warnings(others, self))
                .singleElement()
                .asString()
                .contains(self + " is not in the configuration of the replica set 'rs0'")
                .contains("until replSetReconfig adds this member");
        assertThat(NamedMembers.NONE.warnings(others, addresses.get(1))).isEmpty();
        // It waits for a set, and knows none yet.
        assertThat(new NamedMembers(addresses).warnings(SetConfig.initial("rs0", List.of(), 1000), self))
                .isEmpty();
    }
}
