package dev.semel.query.delta;

import java.util.HashMap;
import java.util.Map;

/** Paths at which operators wrote a value: it is reported as a whole, and not by what differs within it. */
public final class WholePaths {
    static final WholePaths NONE = new WholePaths(Map.of());

    private final Map<String, WholePaths> below;
    private boolean whole;

    public WholePaths() {
        this(new HashMap<>());
    }

    private WholePaths(Map<String, WholePaths> below) {
        this.below = below;
    }

    /**
     * Notes that a value was written.
     *
     * @param path dotted: a field's name with a dot in it cannot be written by an operator
     */
    public void add(String path) {
        WholePaths at = this;
        for (String part : path.split("\\.", -1)) {
            at = at.below.computeIfAbsent(part, ignored -> new WholePaths());
        }
        at.whole = true;
    }

    /** The paths from a field, or from an index into an array, on. */
    WholePaths below(String part) {
        return below.getOrDefault(part, NONE);
    }

    /** Whether a value was written here. */
    boolean isWhole() {
        return whole;
    }
}
