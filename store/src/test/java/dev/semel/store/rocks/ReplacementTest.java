package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Position;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that is killed while a checkpoint takes the place of its data has the old data or the new, never a mix. */
class ReplacementTest {
    private static final byte[] KEY = {1};
    private static final byte[] ONLY_OLD = {2};
    private static final byte[] OLD = {10};
    private static final byte[] NEW = {20};

    @TempDir
    private Path folder;

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    @Test
    void killedAtAnyStep() throws Exception {
        Path checkpoint = folder.resolve("checkpoint");
        try (RocksStore store = open(folder.resolve("other"))) {
            store.write(batch(KEY, NEW, 7), true);
            store.checkpoint(checkpoint);
        }
        Set<Long> found = new HashSet<>();
        for (int step = 1; !replaced(checkpoint, step, found); step++) {
            assertThat(step).isLessThan(100);
        }
        assertThat(found).containsExactlyInAnyOrder(5L, 7L);
    }

    /** Whether it came to its end before that step. */
    private boolean replaced(Path checkpoint, int killedAt, Set<Long> found) throws Exception {
        Path directory = Files.createDirectories(folder.resolve("data" + killedAt));
        Path foreign = Files.writeString(directory.resolve("notes.txt"), "of the user");
        try (RocksStore store = open(directory)) {
            store.write(batch(KEY, OLD, 4), true);
            store.write(batch(ONLY_OLD, OLD, 5), true);
        }
        int[] steps = {0};
        boolean isDone = true;
        try {
            new Replacement(directory, () -> {
                        if (++steps[0] == killedAt) {
                            throw new Killed();
                        }
                    })
                    .replace(checkpoint);
        } catch (Killed e) {
            isDone = false;
        }
        try (RocksStore store = open(directory)) {
            long time = store.position().clusterTime();
            found.add(time);
            try (Snapshot snapshot = store.snapshot(time)) {
                assertThat(snapshot.get(Table.DOCUMENTS, KEY)).isEqualTo(time == 5 ? OLD : NEW);
                assertThat(snapshot.get(Table.DOCUMENTS, ONLY_OLD)).isEqualTo(time == 5 ? OLD : null);
            }
            store.write(batch(KEY, OLD, 9), true);
        }
        assertThat(foreign).hasContent("of the user");
        assertThat(directory.toFile().list((where, name) -> name.startsWith("checkpoint")))
                .isEmpty();
        return isDone;
    }

    private static RocksStore open(Path directory) {
        return RocksStore.open(directory, RocksOptions.small());
    }

    private static Batch batch(byte[] key, byte[] value, long time) {
        Batch batch = new Batch();
        batch.put(Table.DOCUMENTS, key, value);
        batch.position(new Position(1, time, time));
        return batch;
    }
}
