package dev.semel.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InsertionOrderTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final int MAX = 10;
    private static final long BYTES = numbered(0, 1)[0].length();

    private final Stored stored = Stored.inMemory();

    @AfterEach
    void close() {
        stored.close();
    }

    /** Else each insertion would pass over all documents that its transaction has removed before. */
    @Test
    void searchForTheOldestBeginsWhereTheLastOneEnded() {
        create();
        stored.insert(NAMESPACE, numbered(0, 100));
        assertThat(filling()).containsExactly((long) MAX, MAX * BYTES, 90L, 100L);
        assertThat(entries()).isEqualTo(MAX);
        stored.insert(NAMESPACE, numbered(100, 101));
        assertThat(filling()).containsExactly((long) MAX, MAX * BYTES, 91L, 101L);
        assertThat(stored.validate(NAMESPACE).get("valid")).isEqualTo(Value.TRUE);
    }

    /** A place before which there is none stays one, whatever is removed behind it. */
    @Test
    void documentsRemovedByClientsAreNotLookedFor() {
        create();
        stored.insert(NAMESPACE, numbered(0, 15));
        stored.delete(NAMESPACE, Value.of(5));
        stored.delete(NAMESPACE, Value.of(7));
        stored.insert(NAMESPACE, numbered(15, 18));
        assertThat(filling()).containsExactly((long) MAX, MAX * BYTES, 7L, 18L);
        assertThat(entries()).isEqualTo(MAX);
    }

    private void create() {
        Capped capped = new Capped(1_000_000, MAX);
        stored.ddl()
                .create(
                        NAMESPACE,
                        new CollectionOptions(null, null, null, null, null, null, capped, null, null),
                        Ddl.Scope.own(Interruption.unlimited()));
    }

    private static RawDocument[] numbered(int from, int to) {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = from; i < to; i++) {
            documents.add(Stored.json("{_id: %d}".formatted(i)));
        }
        return documents.toArray(RawDocument[]::new);
    }

    private List<Long> filling() {
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            byte[] entry = order(snapshot).entries().low();
            entry[entry.length - 1] = 'S';
            ByteBuffer row = ByteBuffer.wrap(Objects.requireNonNull(snapshot.get(Table.INDEXES, entry)));
            List<Long> numbers = new ArrayList<>();
            while (row.hasRemaining()) {
                numbers.add(row.getLong());
            }
            return numbers;
        }
    }

    private int entries() {
        int entries = 0;
        try (Snapshot snapshot = stored.transactions().snapshot();
                Scan scan = snapshot.scan(Table.INDEXES, order(snapshot).entries(), false)) {
            while (scan.next()) {
                entries++;
            }
        }
        return entries;
    }

    private InsertionOrder order(Snapshot snapshot) {
        return Objects.requireNonNull(
                stored.catalog().require(NAMESPACE, snapshot).order());
    }
}
