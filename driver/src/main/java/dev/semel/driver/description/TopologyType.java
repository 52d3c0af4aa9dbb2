package dev.semel.driver.description;

/** The type of a deployment. */
public enum TopologyType {
    SINGLE("Single"),
    REPLICA_SET_NO_PRIMARY("ReplicaSetNoPrimary"),
    REPLICA_SET_WITH_PRIMARY("ReplicaSetWithPrimary"),
    SHARDED("Sharded"),
    LOAD_BALANCED("LoadBalanced"),
    UNKNOWN("Unknown");

    private final String label;

    TopologyType(String label) {
        this.label = label;
    }

    /** The name the specification uses. */
    public String label() {
        return label;
    }

    /** Whether a transaction is known only where it has begun. */
    public boolean isBehindRouters() {
        return this == SHARDED || this == LOAD_BALANCED;
    }

    public boolean isReplicaSet() {
        return this == REPLICA_SET_NO_PRIMARY || this == REPLICA_SET_WITH_PRIMARY;
    }
}
