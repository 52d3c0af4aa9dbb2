package dev.semel.blackpipe.proxy;

/** The network states that affect all connections of a proxy. */
enum NetworkState {
    /** Connections are closed, and new ones are refused. */
    OUTAGE("outage"),
    /** Connections, old and new, accept bytes and send nothing. */
    BLACK_HOLE("blackhole"),
    /** Connections are closed, and the TLS handshake of new ones fails. */
    BAD_HANDSHAKE("badhandshake"),
    /** Connections are closed, and new ones get a certificate that no client should accept. */
    BAD_CERTIFICATE("badcertificate");

    private final String label;

    NetworkState(String label) {
        this.label = label;
    }

    /** The name in a plan. */
    String label() {
        return label;
    }
}
