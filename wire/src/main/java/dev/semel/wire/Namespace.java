package dev.semel.wire;

/** A database and a collection in it, written {@code database.collection}; the collection's name may itself hold dots. */
public record Namespace(String database, String collection) implements Comparable<Namespace> {
    /** Of each name, in characters: no collection can be made with one as long, and what has been asked for is remembered. */
    private static final int NAME_CHARS_MAX = 4096;

    public Namespace {
        if (database.length() > NAME_CHARS_MAX || collection.length() > NAME_CHARS_MAX) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace,
                    "Fully qualified namespace is too long. Namespace: %.255s.%.255s... Max: 255",
                    database,
                    collection);
        }
    }

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
