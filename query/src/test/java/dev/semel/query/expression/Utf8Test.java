package dev.semel.query.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Text;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void bothWaysOfSearchingFindTheSame() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String text = letters(random, random.nextInt(40));
            String wanted = letters(random, 1 + random.nextInt(6));
            int from = random.nextInt(text.length() + 1);
            int to = from + random.nextInt(text.length() + 1 - from);
            int expected = text.substring(0, to).indexOf(wanted, from);
            assertThat(Utf8.find(Text.of(text), Text.of(wanted), from, to))
                    .as("%s in %s from %d to %d", wanted, text, from, to)
                    .isEqualTo(expected);
            assertThat(RollingSearch.find(Text.of(text), Text.of(wanted), from, to))
                    .as("%s in %s from %d to %d, by hash", wanted, text, from, to)
                    .isEqualTo(expected);
        }
    }

    @Test
    void anyByteMayBeAnywhere() {
        Random random = new Random(8);
        byte[] bytes = new byte[5_000];
        random.nextBytes(bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (int at = 0; at < 4_900; at += 7) {
            Text wanted = Text.of(text.substring(at, at + 90));
            Text all = Text.of(text);
            assertThat(RollingSearch.find(all, wanted, 0, all.length()))
                    .isEqualTo(Utf8.find(all, wanted, 0, all.length()));
        }
    }

    /** Compared byte by byte from each place, that would take hours. */
    @Test
    void aLongTextIsSoughtInALongTextAtOnce() {
        Text text = Text.of("a".repeat(8_000_000) + "b");
        Text wanted = Text.of("a".repeat(4_000_000) + "bb");
        Text last = Text.of("a".repeat(4_000_000) + "b");
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
            assertThat(Utf8.find(text, wanted, 0, text.length())).isEqualTo(-1);
            assertThat(Utf8.find(text, last, 0, text.length())).isEqualTo(4_000_000);
        });
    }

    private static String letters(Random random, int length) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            letters.append((char) ('a' + random.nextInt(2)));
        }
        return letters.toString();
    }
}
