package dev.semel.conformance.subject;

/** What a server is a part of, by the names of the format, and whether clients have to prove who they are. */
public enum Topology {
    REPLICA_SET("replicaset", false),
    SINGLE("single", false),
    REPLICA_SET_WITH_ACCESS_CONTROL("replicaset", true),
    SINGLE_WITH_ACCESS_CONTROL("single", true),
    SET_OF_THREE("replicaset", false);

    private final String label;
    private final boolean hasAccessControl;

    Topology(String label, boolean hasAccessControl) {
        this.label = label;
        this.hasAccessControl = hasAccessControl;
    }

    /** As the format calls it. */
    public String label() {
        return label;
    }

    public boolean hasAccessControl() {
        return hasAccessControl;
    }

    boolean isReplicaSet() {
        return this == REPLICA_SET || this == REPLICA_SET_WITH_ACCESS_CONTROL;
    }

    /** For readers. */
    @Override
    public String toString() {
        return switch (this) {
            case REPLICA_SET, SINGLE -> label;
            case REPLICA_SET_WITH_ACCESS_CONTROL, SINGLE_WITH_ACCESS_CONTROL -> label + " with access control";
            case SET_OF_THREE -> label + " of three members";
        };
    }
}
