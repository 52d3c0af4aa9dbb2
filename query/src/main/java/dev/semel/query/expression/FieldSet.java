package dev.semel.query.expression;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Which top-level fields of a document are read: these names, or all of it. */
public final class FieldSet {
    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> metadata = new LinkedHashSet<>();
    private boolean whole;

    public void add(String name) {
        names.add(name);
    }

    /** All that the other one has. */
    public void addAll(FieldSet other) {
        names.addAll(other.names);
        metadata.addAll(other.metadata);
        whole |= other.whole;
    }

    /** Any field may be read. */
    public void addWhole() {
        whole = true;
    }

    public boolean isWhole() {
        return whole;
    }

    /** In the order of first mention; meaningless when {@link #isWhole}. */
    public Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    public void addMetadata(String name) {
        metadata.add(name);
    }

    /** Which {@link Metadata} is read. */
    public Set<String> metadata() {
        return Collections.unmodifiableSet(metadata);
    }
}
