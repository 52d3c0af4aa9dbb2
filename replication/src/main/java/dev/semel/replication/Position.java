package dev.semel.replication;

/** The place of an entry in the log of its group. Positions are in the order of the log; indexes may have gaps. */
public record Position(long term, long index) implements Comparable<Position> {
    /** Before the first entry. */
    public static final Position NONE = new Position(0, -1);

    /** Of a state with which a group begins: entries follow it. */
    public static final Position BASE = new Position(0, 0);

    @Override
    public int compareTo(Position other) {
        return Long.compare(index, other.index);
    }
}
