package dev.semel.server.changes;

import dev.semel.server.follow.Interest;
import dev.semel.wire.Namespace;
import java.util.Set;

/** Whose changes a stream shows. */
sealed interface StreamScope {
    /** Databases of the server's own, of which only streams that name them, or none, show anything. */
    Set<String> INTERNAL = Set.of("admin", "config", "local");

    /** Whether changes of the documents of a collection, or of its catalog entry, are shown. */
    boolean shows(Namespace namespace);

    /** Whether the stream has lost what it watches when this collection has got another name or is gone. */
    boolean endsWith(Namespace gone);

    boolean showsDatabase(String database);

    boolean endsWithDatabase(String dropped);

    /** All that it shows, and perhaps more. */
    Interest interest();

    record OneCollection(Namespace namespace) implements StreamScope {
        @Override
        public Interest interest() {
            return new Interest.OfCollection(namespace);
        }

        @Override
        public boolean shows(Namespace other) {
            return namespace.equals(other);
        }

        @Override
        public boolean endsWith(Namespace gone) {
            return namespace.equals(gone);
        }

        /** It has ended before, with the collection. */
        @Override
        public boolean showsDatabase(String database) {
            return false;
        }

        @Override
        public boolean endsWithDatabase(String dropped) {
            return false;
        }
    }

    record OneDatabase(String database) implements StreamScope {
        @Override
        public Interest interest() {
            return new Interest.OfDatabase(database);
        }

        @Override
        public boolean shows(Namespace other) {
            return database.equals(other.database()) && !isSystem(other);
        }

        @Override
        public boolean endsWith(Namespace gone) {
            return false;
        }

        @Override
        public boolean showsDatabase(String other) {
            return database.equals(other);
        }

        @Override
        public boolean endsWithDatabase(String dropped) {
            return database.equals(dropped);
        }
    }

    record Everything() implements StreamScope {
        @Override
        public Interest interest() {
            return Interest.EVERYTHING;
        }

        @Override
        public boolean shows(Namespace other) {
            return !INTERNAL.contains(other.database()) && !isSystem(other);
        }

        @Override
        public boolean endsWith(Namespace gone) {
            return false;
        }

        @Override
        public boolean showsDatabase(String database) {
            return !INTERNAL.contains(database);
        }

        @Override
        public boolean endsWithDatabase(String dropped) {
            return false;
        }
    }

    private static boolean isSystem(Namespace namespace) {
        return namespace.collection().startsWith("system.");
    }
}
