package dev.semel.bench.query;

import java.util.SplittableRandom;

/**
 * Documents of about 300 bytes, the same for every server, and half as many of a second collection for joins.
 *
 * @param count how many
 */
record Things(int count) {
    /** Values of {@code g}. */
    static final int GROUPS = 1000;

    private static final int WORDS = 5000;
    private static final int WORDS_PER_TEXT = 12;

    /**
     * One of them.
     *
     * @param g the field that is indexed and selected by
     * @param v what windows are ordered by, indexed behind {@code g}
     * @param w not indexed
     * @param n of the document of the second collection that it belongs to
     */
    record Thing(int id, int g, int v, int w, int n, double x, double y, String text) {}

    int others() {
        return count / 2;
    }

    Thing thing(int id) {
        SplittableRandom random = new SplittableRandom(id);
        int w = random.nextInt(1_000_000);
        int v = random.nextInt(1_000_000);
        double x = Math.round(random.nextDouble(-179, 179) * 1e6) / 1e6;
        double y = Math.round(random.nextDouble(-179, 179) * 1e6) / 1e6;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS_PER_TEXT; i++) {
            // Some words are much more frequent than others, as they are in a language.
            text.append(text.isEmpty() ? "" : " ").append(word((int) (WORDS * Math.pow(random.nextDouble(), 2))));
        }
        return new Thing(id, id % GROUPS, v, w, random.nextInt(others()), x, y, text.toString());
    }

    /** No word that a stemmer would change. */
    static String word(int number) {
        return "word" + number % WORDS + "q";
    }
}
