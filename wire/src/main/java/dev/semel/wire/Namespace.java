package dev.semel.wire;

/** A database and a collection in it, written {@code database.collection}; the collection's name may itself hold dots. */
public record Namespace(String database, String collection) implements Comparable<Namespace> {

    /** Splits at the first dot; a name without one, or with an empty half, is an {@link ErrorCode#InvalidNamespace}. */
    public static Namespace parse(String full) {
        int dot = full.indexOf('.');
        if (dot <= 0 || dot == full.length() - 1) {
            throw new CommandException(ErrorCode.InvalidNamespace, "Invalid namespace specified '%s'", full);
        }
        return new Namespace(full.substring(0, dot), full.substring(dot + 1));
    }

    @Override
    public int compareTo(Namespace other) {
        int byDatabase = database.compareTo(other.database);
        return byDatabase != 0 ? byDatabase : collection.compareTo(other.collection);
    }

    @Override
    public String toString() {
        return database + "." + collection;
    }
}
