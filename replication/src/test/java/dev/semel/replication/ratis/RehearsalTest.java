package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Completion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a member does beforehand so that its first election is a fast one changes nothing. */
class RehearsalTest {
    /** Nobody calls an election meanwhile because the machine is busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @TempDir
    Path folder;

    @Test
    void theGroupGoesOnAsItWas() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            var names = List.of("a", "b", "c");
            names.forEach(set::add);
            for (String name : names) {
                set.startPatient(name, set.all(), PATIENCE);
            }
            var written = set.writeMany("before ", 5);
            var leader = set.leader();
            long term = set.engine(leader).role().term();
            var folders = folders();
            for (String name : set.names()) {
                assertThat(LocalSet.get(set.engine(name).rehearse())).isEqualTo(new Completion.Done());
                assertThat(set.engine(name).role().term()).isEqualTo(term);
            }
            assertThat(folders()).isEqualTo(folders);
            assertThat(set.leader()).isEqualTo(leader);
            written.addAll(set.writeMany("after ", 5));
            for (String name : set.names()) {
                set.awaitEntries(name, written);
            }
        }
    }

    /** Whoever closes a member does not wait for an election that nobody needs. */
    @Test
    void aMemberCanBeClosedMeanwhile() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var name = set.followers(set.leader()).getFirst();
            var rehearsal = set.engine(name).rehearse();
            set.stop(name);
            assertThat(rehearsal.isDone()).isTrue();
        }
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }
}
