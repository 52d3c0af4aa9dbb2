package dev.semel.server.catalog;

/**
 * What an index is made of a field. All fields of an index are ordered, or one of them, or several of the same kind, are
 * of another kind, which is the kind of the index. Which keys a document has in an index of each kind is in
 * {@link KeyGenerator}; which of them a predicate looks for, in {@code server.plan.ColumnBounds}.
 */
public enum IndexKind {
    /** The values themselves, ascending or descending. */
    ORDERED(""),
    /** A hash of the value, for equality only. */
    HASHED("hashed"),
    /** All values at and below a path, each with its own path: {@code $**}. */
    WILDCARD("wildcard"),
    /** The cells of the sphere that cover a shape. */
    SPHERE("2dsphere"),
    /** The cell of the plane around a point. */
    PLANE("2d"),
    /** The terms of texts, each with its score. */
    TEXT("text");

    private final String plugin;

    IndexKind(String plugin) {
        this.plugin = plugin;
    }

    /** Whether it is named in key patterns, where others have a number. */
    public boolean isNamedInPatterns() {
        return this != ORDERED && this != WILDCARD;
    }

    /** Whether this stands for it in a key pattern; empty for a number. */
    public boolean isNamed(String name) {
        return plugin.equals(name);
    }

    /** Whether its keys are those of cells. */
    public boolean isGeo() {
        return this == SPHERE || this == PLANE;
    }

    @Override
    public String toString() {
        return plugin;
    }
}
