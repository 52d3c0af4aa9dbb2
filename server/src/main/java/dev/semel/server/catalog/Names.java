package dev.semel.server.catalog;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import java.nio.charset.StandardCharsets;

/** MongoDB's rules for the names of databases and collections; 73 InvalidNamespace otherwise. */
public final class Names {
    private static final int DATABASE_BYTES_MAX = 63;
    private static final int NAMESPACE_BYTES_MAX = 255;
    private static final String FORBIDDEN_IN_DATABASE = "/\\. \"$*<>:|?\0";

    private Names() {}

    /** Of a collection that is about to be created. */
    static void checkNew(Namespace namespace) {
        checkDatabase(namespace.database());
        String name = namespace.collection();
        if (name.isEmpty() || name.startsWith(".") || name.endsWith(".") || name.indexOf('\0') >= 0) {
            throw invalid("Invalid namespace specified '%s'", namespace);
        }
        checkTarget(namespace);
        if (name.indexOf('$') >= 0) {
            throw invalid("Invalid collection name: %s", name);
        }
        if (namespace.toString().getBytes(StandardCharsets.UTF_8).length > NAMESPACE_BYTES_MAX) {
            throw invalid(
                    "Fully qualified namespace is too long. Namespace: %s Max: %d", namespace, NAMESPACE_BYTES_MAX);
        }
    }

    /** Of a collection that is written to and does not exist. */
    static void checkTarget(Namespace namespace) {
        checkWritable(namespace);
        if (namespace.collection().startsWith("system.") && !isKnownSystem(namespace)) {
            throw invalid("Invalid system namespace: %s", namespace);
        }
    }

    /** Of a namespace that is not stored as a collection, and cannot be written to. */
    static void checkWritable(Namespace namespace) {
        String database = namespace.database();
        if (database.equals("config") && namespace.collection().equals("transactions")) {
            throw invalid("%s shows what the server keeps of sessions and cannot be written to", namespace);
        }
        if (database.equals("config") && namespace.collection().equals("onceTokens")) {
            throw invalid("%s shows what the server keeps of tokens and cannot be written to", namespace);
        }
        if (database.equals("local") && namespace.collection().equals("oplog.rs")) {
            throw invalid("cannot write to '%s'", namespace);
        }
    }

    public static void checkDatabase(String name) {
        if (name.isEmpty() || name.chars().anyMatch(each -> FORBIDDEN_IN_DATABASE.indexOf(each) >= 0)) {
            throw invalid("Invalid database name: '%s'", name);
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > DATABASE_BYTES_MAX) {
            throw invalid("Invalid database name: '%s' is longer than %d bytes", name, DATABASE_BYTES_MAX);
        }
    }

    private static boolean isKnownSystem(Namespace namespace) {
        return switch (namespace.collection()) {
            case "system.js", "system.profile" -> true;
            case "system.users", "system.roles", "system.version", "system.keys" ->
                namespace.database().equals("admin");
            case "system.sessions" -> namespace.database().equals("config");
            default -> false;
        };
    }

    private static CommandException invalid(String format, Object... arguments) {
        return new CommandException(ErrorCode.InvalidNamespace, format, arguments);
    }
}
