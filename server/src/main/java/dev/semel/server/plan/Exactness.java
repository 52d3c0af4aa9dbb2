package dev.semel.server.plan;

/** Whether what is found by bounds has to be looked at again. */
enum Exactness {
    ALWAYS,
    /** As long as no document of the index has an array on the path. */
    WITHOUT_ARRAYS,
    NEVER;

    Exactness and(Exactness other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
