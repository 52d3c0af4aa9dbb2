package dev.semel.replication;

/**
 * The group runs no more on this member, and nothing has failed: the others have told it that it is none of them. It can be
 * opened again, and added.
 */
public final class GroupStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public GroupStopped() {
        super("The group has stopped on this member");
    }
}
