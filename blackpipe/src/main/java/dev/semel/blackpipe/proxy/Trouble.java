package dev.semel.blackpipe.proxy;

/** What can be wrong with all connections of a proxy at once. */
enum Trouble {
    /** Connections end, and new ones are refused. */
    OUTAGE("outage"),
    /** Connections, old and new, accept bytes and say nothing. */
    BLACK_HOLE("blackhole"),
    /** Connections end, and new ones fail before they are encrypted. */
    BAD_HANDSHAKE("badhandshake"),
    /** Connections end, and new ones get a certificate that nobody should accept. */
    BAD_CERTIFICATE("badcertificate");

    private final String label;

    Trouble(String label) {
        this.label = label;
    }

    /** As a plan writes it. */
    String label() {
        return label;
    }
}
