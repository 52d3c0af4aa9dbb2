package dev.semel.server.reference;

/** What the definition answers with an error. */
final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
}
