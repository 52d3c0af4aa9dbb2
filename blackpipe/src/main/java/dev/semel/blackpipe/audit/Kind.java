package dev.semel.blackpipe.audit;

/** What goes wrong. */
public enum Kind {
    /** The connection ends, and the next one works. */
    TRANSIENT("transient error"),
    /** The connection ends, and there is no server until the run is over. */
    OUTAGE("outage"),
    /** The server refuses the command, as often as it is asked. */
    COMMAND_ERROR("command error");

    private final String label;

    Kind(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
