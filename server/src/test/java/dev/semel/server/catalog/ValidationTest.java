package dev.semel.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ValidationTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");
    private static final byte[] NOTHING = {};

    private Stored stored;

    @BeforeEach
    void open() {
        stored = Stored.inMemory();
        stored.createIndexes(NAMESPACE, "{key: {a: 1}, name: \"a\"}");
        stored.insert(NAMESPACE, Stored.json("{_id: 1, a: [1, 2]}"), Stored.json("{_id: 2, a: 3}"));
    }

    @AfterEach
    void close() {
        stored.close();
    }

    private List<byte[]> entries() {
        List<byte[]> keys = new ArrayList<>();
        try (Snapshot snapshot = stored.transactions().snapshot()) {
            Index index =
                    stored.catalog().require(NAMESPACE, snapshot).secondary().getFirst();
            try (Scan scan = snapshot.scan(Table.INDEXES, index.range(), false)) {
                while (scan.next()) {
                    keys.add(scan.key());
                }
            }
        }
        return keys;
    }

    private void put(byte[] entry) {
        stored.write(NAMESPACE, (collection, transaction) -> transaction.put(Table.INDEXES, entry, NOTHING));
    }

    private void remove(byte[] entry) {
        stored.write(NAMESPACE, (collection, transaction) -> transaction.delete(Table.INDEXES, entry));
    }

    private String report() {
        return stored.validate(NAMESPACE).toString();
    }

    @Test
    void allEntriesAreFound() {
        assertThat(report()).contains("\"a\": 3", "\"valid\": true");
    }

    @Test
    void missingEntryIsFound() {
        remove(entries().get(1));
        assertThat(report())
                .contains("index entry missing for", "2 entries were found, 3 expected")
                .doesNotContain("leads to no document");
    }

    @Test
    void entryOfADeletedDocumentIsFound() {
        byte[] entry = entries().getLast();
        stored.delete(NAMESPACE, new Value.Int32(2));
        put(entry);
        assertThat(report())
                .contains("index entry leads to no document that has its values", "3 entries were found, 2 expected");
    }

    /** The numbers agree, and still nothing else does. */
    @Test
    void entryInPlaceOfAnotherIsFound() {
        byte[] before = entries().getLast();
        stored.update(NAMESPACE, Stored.json("{_id: 2, a: 4}"));
        remove(entries().getLast());
        put(before);
        assertThat(report())
                .contains("index entry missing for", "index entry leads to no document that has its values")
                .doesNotContain("entries were found");
    }

    /** Making all keys of the text again for each of them would take hours. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void textOfManyWordsTakesNoLongerThanTwoPasses() {
        stored.createIndexes(NAMESPACE, "{key: {_fts: \"text\", _ftsx: 1}, name: \"t\", weights: {t: 1}}");
        String words = IntStream.range(0, 50_000).mapToObj(each -> "w" + each).collect(Collectors.joining(" "));
        stored.insert(NAMESPACE, Stored.json("{_id: 3, t: \"" + words + "\"}"));
        assertThat(report()).contains("\"t\": 50000", "\"valid\": true");
    }
}
