package dev.semel.blackpipe.audit;

/** The result of a fault, from harmless to worst. */
public enum Verdict {
    CORRECT("correct"),
    /** Correct, but with attempts that could not succeed. */
    WASTES_TIME("wastes time"),
    /** The message did not come in this run: the operation sends other messages each time. */
    NON_DETERMINISTIC("non-deterministic"),
    MAY_UNDERCOUNT("may undercount"),
    MAY_OVERCOUNT("may overcount"),
    /** Only a part of the effect is there. */
    MAY_HALF_APPLY("may half-apply");

    private final String label;

    Verdict(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
