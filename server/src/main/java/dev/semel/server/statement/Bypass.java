package dev.semel.server.statement;

/**
 * What a client asks not to be done with what it writes.
 *
 * @param validation the collection's validator is not asked
 * @param emptyTimestamps empty timestamps stay empty in new documents and replacements: they may be copies of documents
 *     that have such
 */
public record Bypass(boolean validation, boolean emptyTimestamps) {
    /** For documents that the server itself writes for a pipeline. */
    public static Bypass ofValidation(boolean validation) {
        return new Bypass(validation, false);
    }
}
