package dev.semel.bench.load;

/** The documents' content, the same for every target: a few short fields and a text that fills up to the wanted size. */
record Payload(int count, int bytes) {
    static final int GROUPS = 100;

    /** What the short fields take of a document; the text takes the rest. */
    private static final int OVERHEAD_BYTES = 100;

    /** Every key once, in an order that has nothing to do with the identifiers'. */
    int key(long id) {
        return (int) Math.floorMod(id * 7919L, (long) count);
    }

    int group(long id) {
        return (int) Math.floorMod(id, (long) GROUPS);
    }

    String text() {
        return "semel ".repeat(Math.max(0, bytes - OVERHEAD_BYTES) / 6 + 1);
    }
}
