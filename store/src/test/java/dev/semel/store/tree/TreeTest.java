package dev.semel.store.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.key.KeyRange;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tree against a sorted map, by generated edits; old versions must stay as they were. */
class TreeTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void behavesAsASortedMapInEveryVersion(long seed) {
        RandomGenerator random = new Random(seed);
        int keySpace = 1 << (3 + random.nextInt(12));
        Tree tree = Tree.EMPTY;
        NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        List<Tree> oldTrees = new ArrayList<>();
        List<NavigableMap<byte[], byte[]>> oldModels = new ArrayList<>();
        for (int round = 0; round < 60; round++) {
            Editor editor = new Editor(tree);
            int edits = random.nextInt(400);
            int deletes = random.nextInt(10);
            for (int i = 0; i < edits; i++) {
                byte[] key = key(random, keySpace);
                if (random.nextInt(10) < deletes) {
                    editor.remove(key);
                    model.remove(key);
                } else {
                    byte[] value = new byte[random.nextInt(5)];
                    random.nextBytes(value);
                    editor.put(key, value);
                    model.put(key, value);
                }
            }
            if (random.nextInt(6) == 0) {
                KeyRange range = range(random, keySpace);
                editor.removeRange(range);
                sub(model, range).clear();
            }
            tree = editor.tree();
            check(tree, model, random, keySpace);
            if (random.nextInt(5) == 0) {
                oldTrees.add(tree);
                oldModels.add(new TreeMap<>(model));
            }
        }
        for (int i = 0; i < oldTrees.size(); i++) {
            check(oldTrees.get(i), oldModels.get(i), random, keySpace);
        }
    }

    @Test
    void ascendingKeysFillTheirNodes() {
        Editor editor = new Editor(Tree.EMPTY);
        for (int i = 0; i < 32 * 32 * 4; i++) {
            editor.put(new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i}, new byte[0]);
        }
        Node root = editor.tree().root;
        assertThat(root.height).isEqualTo(2);
        assertThat(root.count).isEqualTo(4);
    }

    /** Nodes pass from version to version, and must not bring the version along in which they were made. */
    @Test
    void aTreeKeepsNothingOfTheVersionsBeforeIt() {
        Tree tree = Tree.EMPTY;
        for (int i = 0; i < 1000; i++) {
            tree = tree.put(bytes(i), new byte[0]);
        }
        var replaced = new ArrayList<WeakReference<byte[]>>();
        for (int i = 0; i < 100; i++) {
            byte[] value = new byte[1 << 10];
            replaced.add(new WeakReference<>(value));
            tree = tree.put(bytes(500), value).put(bytes(i), new byte[1]);
        }
        tree = tree.put(bytes(500), new byte[0]);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (System.nanoTime() < until && !replaced.stream().allMatch(each -> each.refersTo(null))) {
            System.gc();
        }
        assertThat(replaced).allMatch(each -> each.refersTo(null));
        assertThat(tree.size()).isEqualTo(1000);
    }

    private static byte[] bytes(int number) {
        return new byte[] {(byte) (number >> 8), (byte) number};
    }

    private static void check(Tree tree, NavigableMap<byte[], byte[]> model, RandomGenerator random, int keySpace) {
        assertThat(tree.size()).isEqualTo(model.size());
        assertThat(tree.bytes()).isEqualTo(bytes(model));
        for (int i = 0; i < 20; i++) {
            byte[] key = key(random, keySpace);
            assertThat(tree.get(key)).isEqualTo(model.get(key));
        }
        for (int i = 0; i < 6; i++) {
            KeyRange range = i == 0 ? KeyRange.ALL : range(random, keySpace);
            NavigableMap<byte[], byte[]> expected = sub(model, range);
            assertThat(tree.count(range)).isEqualTo(expected.size());
            assertThat(tree.heapBytes(range))
                    .isEqualTo(expected.entrySet().stream()
                            .mapToLong(each -> Tree.heapBytes(each.getKey(), each.getValue()))
                            .sum());
            checkWalk(tree, expected, range, false, random, keySpace);
            checkWalk(tree, expected.descendingMap(), range, true, random, keySpace);
        }
    }

    private static void checkWalk(
            Tree tree,
            NavigableMap<byte[], byte[]> expected,
            KeyRange range,
            boolean reverse,
            RandomGenerator random,
            int keySpace) {
        TreeCursor at = tree.cursor(range, reverse);
        for (Map.Entry<byte[], byte[]> each : expected.entrySet()) {
            assertThat(at.next()).isTrue();
            assertThat(at.key()).isEqualTo(each.getKey());
            assertThat(at.value()).isSameAs(each.getValue());
        }
        assertThat(at.next()).isFalse();
        assertThat(at.next()).isFalse();

        TreeCursor skipping = tree.cursor(range, reverse);
        List<byte[]> keys = new ArrayList<>(expected.keySet());
        int current = -1;
        int ahead = 0;
        while (true) {
            if (random.nextInt(3) == 0) {
                byte[] to = key(random, keySpace);
                skipping.seek(to);
                if (current < 0 || isBehind(keys.get(current), to, reverse)) {
                    while (ahead < keys.size() && isBehind(keys.get(ahead), to, reverse)) {
                        ahead++;
                    }
                }
            }
            if (ahead == keys.size()) {
                assertThat(skipping.next()).isFalse();
                return;
            }
            assertThat(skipping.next()).isTrue();
            assertThat(skipping.key()).isEqualTo(keys.get(ahead));
            current = ahead++;
        }
    }

    private static boolean isBehind(byte[] key, byte[] target, boolean reverse) {
        int order = Arrays.compareUnsigned(key, target);
        return reverse ? order > 0 : order < 0;
    }

    private static long bytes(Map<byte[], byte[]> map) {
        return map.entrySet().stream()
                .mapToLong(each -> each.getKey().length + each.getValue().length)
                .sum();
    }

    private static NavigableMap<byte[], byte[]> sub(NavigableMap<byte[], byte[]> map, KeyRange range) {
        if (range.isEmpty()) {
            return new TreeMap<>(Arrays::compareUnsigned);
        }
        byte[] high = range.high();
        return high == null ? map.tailMap(range.low(), true) : map.subMap(range.low(), true, high, false);
    }

    private static KeyRange range(RandomGenerator random, int keySpace) {
        return KeyRange.of(
                random.nextInt(4) == 0 ? null : key(random, keySpace),
                random.nextBoolean(),
                random.nextInt(4) == 0 ? null : key(random, keySpace),
                random.nextBoolean());
    }

    /** Of several lengths, and many that begin alike for longer than a node keeps what they have in common. */
    private static byte[] key(RandomGenerator random, int keySpace) {
        int number = random.nextInt(keySpace);
        byte[] own = {(byte) (number >> 8), (byte) number, 7};
        int alike = (number >> 9) % 4 * 7;
        int length = number % 50 == 0 ? 0 : 2 + (number & 1);
        byte[] key = new byte[alike + length];
        Arrays.fill(key, 0, alike, (byte) (number >> 9));
        Arrays.fill(key, Math.min(10, alike), alike, (byte) ~(number >> 7));
        System.arraycopy(own, 0, key, alike, length);
        return key;
    }
}
