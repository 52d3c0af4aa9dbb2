package dev.semel.server.auth;

import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;

/** What something is done to, or which of them a role is about. */
public sealed interface Resource {
    /** The server as a whole. */
    record Cluster() implements Resource {}

    /** All there is; only as something to be granted. */
    record Everything() implements Resource {}

    /**
     * A collection. Without a name of one, the database and all of its collections that are not the system's; without the
     * name of a database, that in all of them.
     */
    record Data(String database, String collection) implements Resource {}

    static Resource cluster() {
        return new Cluster();
    }

    static Resource everything() {
        return new Everything();
    }

    /** What every database holds, but for the system's own collections and the databases {@code local} and {@code config}. */
    static Resource allDatabases() {
        return new Data("", "");
    }

    static Resource database(String name) {
        return new Data(name, "");
    }

    static Resource collection(Namespace namespace) {
        return new Data(namespace.database(), namespace.collection());
    }

    /** Whether who has this may also claim the other. */
    default boolean covers(Resource wanted) {
        return switch (this) {
            case Everything() -> true;
            case Cluster() -> wanted instanceof Cluster;
            case Data(String database, String collection) ->
                wanted instanceof Data(String wantedDatabase, String wantedCollection)
                        && (database.isEmpty() ? isOrdinary(wantedDatabase) : database.equals(wantedDatabase))
                        && (collection.isEmpty()
                                ? !wantedCollection.startsWith("system.")
                                : collection.equals(wantedCollection));
        };
    }

    /** Whether it is the database or something in it. */
    default boolean isIn(String wanted) {
        return switch (this) {
            case Everything() -> true;
            case Cluster() -> false;
            case Data(String database, String collection) ->
                database.isEmpty() ? collection.isEmpty() && isOrdinary(wanted) : database.equals(wanted);
        };
    }

    private static boolean isOrdinary(String database) {
        return !database.equals("local") && !database.equals("config");
    }

    default void writeTo(BsonWriter out) {
        out.startDocument("resource");
        switch (this) {
            case Everything() -> out.put("anyResource", true);
            case Cluster() -> out.put("cluster", true);
            case Data(String database, String collection) ->
                out.put("db", database).put("collection", collection);
        }
        out.end();
    }
}
