package dev.semel.query.value;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.List;
import java.util.Set;

/** The rules for names of fields in the paths of expressions, projections, sorts and stages; filters and updates have others. */
public final class FieldNames {
    /** Names of a DBRef, which a path may mention in spite of their dollar. */
    private static final Set<String> DOLLAR_NAMES = Set.of("$id", "$ref", "$db");

    private FieldNames() {}

    /** The names of a path without its dollar; empty, {@code $}-prefixed and otherwise impossible ones are errors. */
    public static List<String> of(String path) {
        if (path.isEmpty()) {
            throw new CommandException(ErrorCode.location(40352), "FieldPath cannot be constructed with empty string");
        }
        if (path.endsWith(".")) {
            throw new CommandException(ErrorCode.location(40353), "FieldPath must not end with a '.'.");
        }
        List<String> names = List.of(DottedPath.split(path));
        names.forEach(FieldNames::check);
        return names;
    }

    /** Whether it is a name of a DBRef. */
    public static boolean isOfReference(String name) {
        return DOLLAR_NAMES.contains(name);
    }

    /** The rules for one name, which hold for the fields of an object expression as well. */
    public static void check(String name) {
        if (name.isEmpty()) {
            throw new CommandException(ErrorCode.location(15998), "FieldPath field names may not be empty strings.");
        }
        if (name.charAt(0) == '$' && !DOLLAR_NAMES.contains(name)) {
            throw new CommandException(
                    ErrorCode.location(16410),
                    "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
        }
        if (name.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.location(16411), "FieldPath field names may not contain '\\0'.");
        }
        if (name.indexOf('.') >= 0) {
            throw new CommandException(
                    ErrorCode.location(16412),
                    "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
        }
    }
}
