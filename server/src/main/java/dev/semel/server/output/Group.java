package dev.semel.server.output;

import dev.semel.server.cursor.Documents;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/** Results that are written in one transaction: enough that it is worth its commit, few enough to hold. */
final class Group {
    private static final int DOCUMENTS_MAX = 1_000;
    private static final int BYTES_MAX = 1 << 20;

    private Group() {}

    /** The next of them; empty after the last. */
    static List<RawDocument> next(Documents results) {
        List<RawDocument> group = new ArrayList<>();
        long bytes = 0;
        while (group.size() < DOCUMENTS_MAX && bytes < BYTES_MAX) {
            RawDocument next = results.next();
            if (next == null) {
                break;
            }
            group.add(next);
            bytes += next.length();
        }
        return group;
    }
}
