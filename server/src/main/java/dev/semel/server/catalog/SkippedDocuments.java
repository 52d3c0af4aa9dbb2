package dev.semel.server.catalog;

/** Whether an index, while it was being filled, has let documents pass that it cannot hold. */
final class SkippedDocuments {
    private volatile boolean any;

    void add() {
        any = true;
    }

    boolean any() {
        return any;
    }
}
