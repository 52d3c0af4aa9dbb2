package dev.semel.conformance.subject;

/** What a server is a part of, by the names of the format. */
public enum Topology {
    REPLICA_SET("replicaset"),
    SINGLE("single");

    private final String label;

    Topology(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
