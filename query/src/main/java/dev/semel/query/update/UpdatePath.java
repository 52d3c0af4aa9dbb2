package dev.semel.query.update;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/** The rules for a path that an operator works on. */
final class UpdatePath {
    private UpdatePath() {}

    static DottedPath parse(String text) {
        if (text.isEmpty()) {
            throw new CommandException(ErrorCode.EmptyFieldName, "An empty update path is not valid.");
        }
        DottedPath path = DottedPath.of(text);
        boolean positional = false;
        for (int i = 0; i < path.size(); i++) {
            String part = path.part(i);
            if (part.isEmpty()) {
                throw new CommandException(
                        ErrorCode.EmptyFieldName,
                        "The update path '%s' contains an empty field name, which is not allowed.",
                        text);
            }
            if (part.equals(Node.POSITIONAL)) {
                checkPositional(path, i, positional);
                positional = true;
            } else if (isElements(part)) {
                checkElements(path, i);
            } else if (part.startsWith("$") && path.first().equals("_id")) {
                throw IdField.dollar(part);
            }
        }
        return path;
    }

    private static void checkPositional(DottedPath path, int part, boolean already) {
        if (part == 0) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Cannot have positional (i.e. '$') element in the first position in path '%s'",
                    path);
        }
        if (already) {
            throw new CommandException(
                    ErrorCode.BadValue, "Too many positional (i.e. '$') elements found in path '%s'", path);
        }
    }

    private static void checkElements(DottedPath path, int part) {
        if (part == 0) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '%s'",
                    path);
        }
    }

    /** Whether a part stands for several elements of an array. */
    static boolean isElements(String part) {
        return part.startsWith("$[") && part.endsWith("]");
    }

    static String identifier(String part) {
        return part.substring(2, part.length() - 1);
    }

    static boolean isDynamic(DottedPath path) {
        return path.parts().stream().anyMatch(part -> part.equals(Node.POSITIONAL) || isElements(part));
    }

    /** The names on the path alone: an index sees through array positions, so what it sees changes at any of them. */
    static DottedPath withoutPositions(DottedPath path) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < path.size(); i++) {
            if (i == 0 || (path.index(i) < 0 && !isElements(path.part(i)))) {
                names.add(path.part(i));
            }
        }
        return names.size() == path.size() ? path : DottedPath.of(String.join(".", names));
    }

    /**
     * The path at and below which the operator can change what an index sees. A position may make an array longer, and
     * each new element gives keys to every index through that array; {@code $[]} finds its elements there.
     */
    static DottedPath changed(DottedPath path) {
        for (int i = 1; i < path.size(); i++) {
            if (path.index(i) >= 0 || path.part(i).equals(Node.POSITIONAL)) {
                return withoutPositions(path.prefix(i));
            }
        }
        return withoutPositions(path);
    }
}
