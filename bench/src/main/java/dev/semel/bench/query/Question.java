package dev.semel.bench.query;

/** What is asked; each takes a number that says about what. */
enum Question {
    LOOKUP("`$match` on an index, `$lookup` by `_id`"),
    TOP("`$match` on an index, `$sort` by another field, `$limit` 10"),
    WINDOWS("`$match` on an index, running sum by `$setWindowFields`"),
    WORD("search for a word, first 10"),
    BEST("search for two words, best 10 by score"),
    NEAR("the nearest 10 of a place"),
    COUNT("count by an index"),
    DISTINCT("distinct values of an indexed field");

    private final String label;

    Question(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
