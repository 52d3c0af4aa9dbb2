package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CommitNewsTest {
    /** Heartbeats come after half of it: this test would take five minutes if followers were told by them. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(10);

    private static final int ENTRIES = 60;

    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void followersApplyAnEntryThatNoOtherOneFollows() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            for (String name : new String[] {"a", "b", "c"}) {
                set.add(name);
            }
            for (String name : set.members.keySet()) {
                set.startPatient(name, set.all(), ELECTION_TIMEOUT);
            }
            var leader = set.leader();
            var expected = new ArrayList<String>();
            for (int i = 0; i < ENTRIES; i++) {
                var entry = "entry " + i;
                expected.add(entry);
                assertThat(LocalSet.get(set.propose(leader, entry))).isInstanceOf(Outcome.Applied.class);
                set.names().forEach(name -> set.awaitEntries(name, expected));
            }
        }
    }
}
