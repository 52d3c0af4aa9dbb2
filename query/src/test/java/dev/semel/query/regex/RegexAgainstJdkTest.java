package dev.semel.query.regex;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Where the syntax and meaning of both are the same, this engine finds what the JDK's finds. */
class RegexAgainstJdkTest {
    private static final List<String> ATOMS = List.of(
            "a", "b", "ab", ".", "[ab]", "[^a]", "\\w", "\\d", "\\s", "\\n", "c", "[a-c]", "\\S", "\\x61", "\\p{L}",
            "\\P{L}");
    private static final List<String> PLACES = List.of("^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z");
    private static final List<String> QUANTIFIERS = List.of(
            "*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{0,2}?", "{2,}", "{1,}?", "{1,3}+");
    private static final List<String> OPENINGS = List.of("(", "(?:", "(?>", "(?i:", "(?s:", "(?m:");
    private static final List<String> LOOKS = List.of("(?=", "(?!");
    private static final String LETTERS = "aabbcAB1 \n";

    @Test
    void findsTheSameAsTheJdk() {
        Seeds.check(20_000, random -> {
            String pattern = pattern(random, 0);
            for (int i = 0; i < 3; i++) {
                String text = text(random);
                assertThat(found(pattern, text))
                        .as("/%s/ in '%s'", pattern, text)
                        .isEqualTo(foundByJdk(pattern, text));
            }
        });
    }

    /** Each place of a run was tried again, up to the limit of steps. */
    @Test
    void aRunThatDoesNotMatchIsTriedOnce() {
        String letters = "a".repeat(200_000);
        assertThat(found("[a-z]+s$", letters)).isEmpty();
        assertThat(found("([a-z]*?)s", letters + "1bs")).containsExactly("200001-200003");
    }

    private static String pattern(RandomGenerator random, int depth) {
        StringBuilder pattern = new StringBuilder();
        for (int parts = 1 + random.nextInt(3); parts > 0; parts--) {
            pattern.append(depth < 3 && random.nextInt(3) == 0 ? group(random, depth) : simple(random));
        }
        return pattern.toString();
    }

    private static String simple(RandomGenerator random) {
        return random.nextInt(3) == 0 ? pick(random, PLACES) : pick(random, ATOMS) + quantifier(random);
    }

    private static String group(RandomGenerator random, int depth) {
        boolean looks = random.nextInt(4) == 0;
        // The engines do not agree on how often nothing is repeated.
        String first = looks ? "" : pick(random, ATOMS);
        String group = pick(random, looks ? LOOKS : OPENINGS) + first + pattern(random, depth + 1);
        if (random.nextInt(3) == 0) {
            group += '|' + first + pattern(random, depth + 1);
        }
        return group + ')' + (looks ? "" : quantifier(random));
    }

    private static String quantifier(RandomGenerator random) {
        return random.nextInt(3) == 0 ? pick(random, QUANTIFIERS) : "";
    }

    private static String pick(RandomGenerator random, List<String> any) {
        return any.get(random.nextInt(any.size()));
    }

    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int length = 1 + random.nextInt(8); length > 0; length--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static List<String> found(String pattern, String text) {
        Search search = Regex.compile(pattern, "").search(text, () -> {});
        List<String> found = new ArrayList<>();
        while (search.find()) {
            found.add(search.start() + "-" + search.end());
        }
        return found;
    }

    private static List<String> foundByJdk(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern, Pattern.UNIX_LINES).matcher(text);
        List<String> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(matcher.start() + "-" + matcher.end());
        }
        return found;
    }
}
