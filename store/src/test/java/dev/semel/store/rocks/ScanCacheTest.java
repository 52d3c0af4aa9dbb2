package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What short scans of an index find: each in a store that keeps them, and as it must be. */
class ScanCacheTest {
    @TempDir
    Path directory;

    private RocksStore store;

    @BeforeEach
    void open() {
        store = RocksStore.open(directory, RocksOptions.small());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Of one of three indexes, two of which the cache takes for one. */
    private static byte[] key(String text) {
        int number = switch (text.charAt(0)) {
            case 'a' -> 7;
            case 'b' -> 7 + 64;
            default -> 8;
        };
        byte[] bytes = bytes(text);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(number)
                .put(bytes)
                .array();
    }

    private static String keyText(Scan scan) {
        return text(Arrays.copyOfRange(scan.key(), Integer.BYTES, scan.key().length));
    }

    private void put(String... keys) {
        Batch batch = new Batch();
        for (String each : keys) {
            batch.put(Table.INDEXES, key(each), bytes("v" + each));
        }
        store.write(batch, false);
    }

    private void delete(String key) {
        Batch batch = new Batch();
        batch.delete(Table.INDEXES, key(key));
        store.write(batch, false);
    }

    private static List<String> scan(Snapshot snapshot, String beginning, boolean reverse, int most) {
        List<String> found = new ArrayList<>();
        try (Scan scan = snapshot.scan(Table.INDEXES, KeyRange.prefix(key(beginning)), reverse)) {
            while (found.size() < most && scan.next()) {
                assertThat(text(scan.value())).isEqualTo("v" + keyText(scan));
                found.add(keyText(scan));
            }
        }
        return found;
    }

    private List<String> scan(String beginning) {
        return scan(beginning, false, Integer.MAX_VALUE);
    }

    private List<String> scan(String beginning, boolean reverse, int most) {
        try (Snapshot snapshot = store.snapshot(0)) {
            return scan(snapshot, beginning, reverse, most);
        }
    }

    private long hits() {
        return store.caches().scans().hits();
    }

    @Test
    void theThirdScanFindsWhatTheSecondHasLeft() {
        put("a1", "a2", "b1");
        for (int i = 0; i < 2; i++) {
            assertThat(scan("a")).containsExactly("a1", "a2");
        }
        assertThat(hits()).isZero();
        assertThat(scan("a")).containsExactly("a1", "a2");
        assertThat(scan("a", true, 9)).containsExactly("a2", "a1");
        assertThat(hits()).isEqualTo(2);
        assertThat(scan("b")).containsExactly("b1");
        assertThat(hits()).isEqualTo(2);
    }

    @Test
    void thatThereIsNothingIsKnownToo() {
        put("b1");
        for (int i = 0; i < 3; i++) {
            assertThat(scan("a")).isEmpty();
        }
        assertThat(hits()).isEqualTo(1);
        put("a1");
        assertThat(scan("a")).containsExactly("a1");
    }

    @Test
    void aWriteOutdatesTheBeginningsOfItsKey() {
        put("aa1", "ab1", "b1");
        for (int i = 0; i < 3; i++) {
            scan("a");
            scan("ab");
            scan("b");
        }
        assertThat(hits()).isEqualTo(3);
        put("ab2");
        assertThat(scan("a")).containsExactly("aa1", "ab1", "ab2");
        assertThat(scan("ab")).containsExactly("ab1", "ab2");
        delete("aa1");
        assertThat(scan("a")).containsExactly("ab1", "ab2");
        assertThat(scan("b")).containsExactly("b1");
    }

    @Test
    void aSnapshotShowsWhatItShowed() {
        put("a1");
        try (Snapshot before = store.snapshot(0)) {
            scan("a");
            scan("a");
            put("a2");
            scan("a");
            scan("a");
            assertThat(scan("a")).containsExactly("a1", "a2");
            assertThat(scan(before, "a", false, 9)).containsExactly("a1");
        }
    }

    /** What comes after the entries that are known is read when it is wanted. */
    @Test
    void aScanThatWasEndedEarlyIsKnownInPart() {
        put("a1", "a2", "a3");
        for (int i = 0; i < 3; i++) {
            assertThat(scan("a", false, 1)).containsExactly("a1");
        }
        assertThat(hits()).isEqualTo(1);
        assertThat(scan("a")).containsExactly("a1", "a2", "a3");
        assertThat(scan("a", true, 2)).containsExactly("a3", "a2");
    }

    @Test
    void aLongScanIsKnownInPart() {
        String[] keys = new String[40];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "a%02d".formatted(i);
        }
        put(keys);
        for (int i = 0; i < 3; i++) {
            assertThat(scan("a")).containsExactly(keys);
        }
        assertThat(hits()).isEqualTo(1);
    }

    /** As in an index that has documents. */
    @Test
    void whatIsLargeIsReadFromTheEngine() {
        for (int i = 0; i < 4; i++) {
            if (i % 2 == 0) {
                Batch batch = new Batch();
                batch.put(Table.INDEXES, key("a" + "x".repeat(3_000)), bytes("va" + "x".repeat(3_000)));
                store.write(batch, false);
            }
            assertThat(scan("a")).containsExactly("a" + "x".repeat(3_000));
            assertThat(scan("a", true, 2)).containsExactly("a" + "x".repeat(3_000));
            assertThat(store.caches().scans().bytes()).isLessThan(500);
        }
        put("a1");
        for (int i = 0; i < 3; i++) {
            assertThat(scan("a")).containsExactly("a1", "a" + "x".repeat(3_000));
        }
    }

    @Test
    void aSkipGoesOverWhatIsKnownAndBeyond() {
        put("a1", "a2", "a3", "a5", "a6");
        for (int most : List.of(3, 9)) {
            for (int i = 0; i < 3; i++) {
                scan("a", false, most);
            }
            try (Snapshot snapshot = store.snapshot(0);
                    Scan scan = snapshot.scan(Table.INDEXES, KeyRange.prefix(key("a")), false)) {
                assertThat(scan.next()).isTrue();
                scan.seek(key("a2"));
                assertThat(scan.next()).isTrue();
                assertThat(keyText(scan)).isEqualTo("a2");
                scan.seek(key("a1"));
                assertThat(scan.next()).isTrue();
                assertThat(keyText(scan)).isEqualTo("a3");
                scan.seek(key("a4"));
                assertThat(scan.next()).isTrue();
                assertThat(keyText(scan)).isEqualTo("a5");
                scan.seek(key("a7"));
                assertThat(scan.next()).isFalse();
            }
            put("b");
        }
    }

    /** Nobody has to know the lengths of keys: beginnings of any length, with every kind of write. */
    @Test
    void findsWhatAStoreWithoutItFinds() {
        Random random = new Random(7);
        TreeMap<String, Boolean> expected = new TreeMap<>();
        for (int round = 0; round < 20_000; round++) {
            String key = key(random, 6);
            switch (random.nextInt(12)) {
                case 0 -> {
                    put(key);
                    expected.put(key, true);
                }
                case 1 -> {
                    delete(key);
                    expected.remove(key);
                }
                case 2 -> {
                    if (random.nextInt(200) == 0) {
                        Batch batch = new Batch();
                        batch.deleteRange(Table.INDEXES, KeyRange.prefix(key(key)));
                        store.write(batch, false);
                        expected.subMap(key, key + "~").clear();
                    }
                }
                default -> {
                    String beginning = key.substring(0, 1 + random.nextInt(key.length()));
                    List<String> all = new ArrayList<>(
                            expected.subMap(beginning, beginning + "~").keySet());
                    boolean reverse = random.nextInt(4) == 0;
                    if (reverse) {
                        all = all.reversed();
                    }
                    int most = 1 + random.nextInt(20);
                    assertThat(scan(beginning, reverse, most)).isEqualTo(all.subList(0, Math.min(most, all.size())));
                }
            }
        }
        assertThat(hits()).isGreaterThan(1_000);
    }

    private static String key(Random random, int most) {
        StringBuilder key = new StringBuilder();
        for (int length = 1 + random.nextInt(most); key.length() < length; ) {
            key.append((char) ('a' + random.nextInt(3)));
        }
        return key.toString();
    }

    @Test
    void onlyRangesOfOneBeginningOfAnIndexAreKnown() {
        ScanCache scans = store.caches().scans();
        assertThat(scans.canKnow(KeyRange.prefix(new byte[] {0, 0, 1, 2}))).isTrue();
        assertThat(scans.canKnow(KeyRange.prefix(new byte[] {0, 1, 2}))).isFalse();
        assertThat(scans.canKnow(KeyRange.prefix(new byte[] {0, 0, 1, (byte) 0xFF})))
                .isTrue();
        byte[] highest = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF};
        assertThat(scans.canKnow(KeyRange.prefix(highest))).isFalse();
        assertThat(scans.canKnow(KeyRange.ALL)).isFalse();
        assertThat(scans.canKnow(KeyRange.point(new byte[] {0, 0, 1, 2}))).isFalse();
        assertThat(scans.canKnow(new KeyRange(new byte[] {0, 0, 1, 2}, new byte[] {0, 0, 1, 4})))
                .isFalse();
        assertThat(scans.canKnow(new KeyRange(new byte[] {0, 0, 1, 2}, new byte[] {0, 0, 2})))
                .isFalse();
        assertThat(scans.canKnow(KeyRange.prefix(new byte[63]))).isTrue();
        assertThat(scans.canKnow(KeyRange.prefix(new byte[64]))).isFalse();
    }
}
