package dev.semel.query.expression;

/** Something that holds memory for a reader who may let it wait for minutes. */
public interface Pausable {
    /** Nobody reads on for some time. May fail, and is then as it was. */
    void pause();
}
