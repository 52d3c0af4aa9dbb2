package dev.semel.driver.description;

/** What a server said it is. A possible primary was named as the primary by another member and has not answered yet. */
public enum ServerType {
    UNKNOWN("Unknown"),
    STANDALONE("Standalone"),
    MONGOS("Mongos"),
    POSSIBLE_PRIMARY("PossiblePrimary"),
    RS_PRIMARY("RSPrimary"),
    RS_SECONDARY("RSSecondary"),
    RS_ARBITER("RSArbiter"),
    RS_OTHER("RSOther"),
    RS_GHOST("RSGhost"),
    LOAD_BALANCER("LoadBalancer");

    private final String label;

    ServerType(String label) {
        this.label = label;
    }

    /** The name the specification uses. */
    public String label() {
        return label;
    }

    public boolean isDataBearing() {
        return switch (this) {
            case STANDALONE, MONGOS, RS_PRIMARY, RS_SECONDARY, LOAD_BALANCER -> true;
            case UNKNOWN, POSSIBLE_PRIMARY, RS_ARBITER, RS_OTHER, RS_GHOST -> false;
        };
    }

    public boolean isWritable() {
        return switch (this) {
            case STANDALONE, MONGOS, RS_PRIMARY, LOAD_BALANCER -> true;
            case UNKNOWN, POSSIBLE_PRIMARY, RS_SECONDARY, RS_ARBITER, RS_OTHER, RS_GHOST -> false;
        };
    }
}
