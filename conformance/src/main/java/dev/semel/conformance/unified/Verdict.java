package dev.semel.conformance.unified;

/** What came of a case. */
public sealed interface Verdict {
    record Passed() implements Verdict {}

    /** Not run. */
    record Skipped(String reason) implements Verdict {}

    record Failed(Throwable cause) implements Verdict {}
}
