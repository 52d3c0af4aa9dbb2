package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ConflictsTest {
    private static final int BITS = 17;

    /** Two letters per bit, whose hashes are the same. */
    private static byte[] key(int number) {
        return IntStream.range(0, BITS)
                .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** Otherwise a client that chooses such keys could hold up all commits. */
    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void keysWithEqualHashesAreFoundAsFastAsOthers() {
        assertThat(Arrays.hashCode(key(1))).isEqualTo(Arrays.hashCode(key(0)));
        var conflicts = new Conflicts(() -> Long.MAX_VALUE, 0);
        int keys = 1 << BITS;
        for (int i = 0; i < keys; i++) {
            conflicts.add(Table.DOCUMENTS, key(i), i + 1);
        }
        for (int i = 0; i < keys; i++) {
            assertThat(conflicts.changedSince(Table.DOCUMENTS, key(i), i)).isEqualTo(Conflicts.Answer.CHANGED);
        }
        assertThat(conflicts.changedSince(Table.DOCUMENTS, key(7), 8)).isEqualTo(Conflicts.Answer.UNCHANGED);
        assertThat(conflicts.size()).isEqualTo(keys);
    }
}
