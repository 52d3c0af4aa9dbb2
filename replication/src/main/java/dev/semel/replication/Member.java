package dev.semel.replication;

/**
 * A member of a group.
 *
 * @param name unique in its group and never reused for another data directory
 * @param host where the other members reach it
 * @param port the port for members, not the one for clients
 * @param priority among members that are up to date, one with a higher priority is preferred as leader
 */
public record Member(String name, String host, int port, int priority) {
    public Member {
        if (name.isEmpty() || host.isEmpty() || port <= 0 || port > 65535 || priority < 0) {
            throw new IllegalArgumentException(
                    "A member needs a name, a host, a port and a priority that is not negative: %s at %s:%d, priority %d"
                            .formatted(name, host, port, priority));
        }
    }

    public Member withPriority(int changed) {
        return new Member(name, host, port, changed);
    }
}
