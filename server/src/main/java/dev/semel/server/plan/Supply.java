package dev.semel.server.plan;

import java.util.Set;

/** What a scan of an index has to say about each document that it finds. */
sealed interface Supply {

    /** Only that it is there. */
    record Keys() implements Supply {}

    /**
     * Some of its fields, which its entry has. The document is looked at only if the entry does not say how they are stored.
     *
     * @param columns which of the index have these fields
     */
    record Fields(Set<String> names, boolean[] columns) implements Supply {}

    record Documents() implements Supply {}
}
