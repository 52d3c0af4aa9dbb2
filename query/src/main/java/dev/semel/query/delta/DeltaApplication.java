package dev.semel.query.delta;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes the newer document of an older one and the {@link Delta difference} between them. The parts of a difference are in the
 * order of the older document, so both are read once, side by side: either may have a million elements.
 */
public final class DeltaApplication {
    private DeltaApplication() {}

    public static RawDocument apply(RawDocument before, RawDocument difference) {
        BsonWriter out = new BsonWriter(before.length() + difference.length());
        document(before, difference, out);
        return out.finish();
    }

    private static void document(RawDocument before, RawDocument difference, BsonWriter out) {
        ElementCursor removed = RawDocument.EMPTY.cursor();
        ElementCursor changed = RawDocument.EMPTY.cursor();
        RawDocument added = RawDocument.EMPTY;
        ElementCursor inner = difference.cursor();
        boolean hasInner = inner.next();
        for (; hasInner && !inner.name().startsWith("s"); hasInner = inner.next()) {
            switch (inner.name()) {
                case "d" -> removed = Delta.view(inner).cursor();
                case "u" -> changed = Delta.view(inner).cursor();
                case "i" -> added = Delta.view(inner);
                default -> throw new IllegalStateException("not a difference: " + difference);
            }
        }
        boolean hasRemoved = removed.next();
        boolean hasChanged = changed.next();
        Set<Text> moved = names(added);
        for (ElementCursor at = before.cursor(); at.next(); ) {
            if (hasChanged && isNamed(changed, 0, at)) {
                out.copy(changed);
                hasChanged = changed.next();
            } else if (hasInner && isNamed(inner, 1, at)) {
                nested(at.name(), at, Delta.view(inner), out);
                hasInner = inner.next();
            } else if (hasRemoved && isNamed(removed, 0, at)) {
                hasRemoved = removed.next();
            } else if (moved.isEmpty() || !moved.contains(at.nameText())) {
                out.copy(at);
            }
        }
        out.copyAll(added);
    }

    /** Whether the name behind a prefix of some bytes is that of a field. */
    private static boolean isNamed(ElementCursor part, int prefix, ElementCursor field) {
        return Arrays.equals(
                part.array(),
                part.elementStart() + 1 + prefix,
                part.valueStart(),
                field.array(),
                field.elementStart() + 1,
                field.valueStart());
    }

    private static Set<Text> names(RawDocument of) {
        if (of.isEmpty()) {
            return Set.of();
        }
        Set<Text> names = new HashSet<>();
        for (ElementCursor at = of.cursor(); at.next(); ) {
            names.add(at.nameText());
        }
        return names;
    }

    private static void nested(String name, ElementCursor at, RawDocument difference, BsonWriter out) {
        if (Delta.isArray(difference)) {
            out.startArray(name);
            array(Delta.view(at), difference, out);
        } else {
            out.startDocument(name);
            document(Delta.view(at), difference, out);
        }
        out.end();
    }

    private static void array(RawDocument before, RawDocument difference, BsonWriter out) {
        int length = Integer.MAX_VALUE;
        ElementCursor change = difference.cursor();
        // The first one only says that this is of an array.
        boolean hasChange = change.next();
        hasChange = hasChange && change.next();
        if (hasChange && change.name().equals("l")) {
            length = change.value() instanceof Value.Int32(int newLength) ? newLength : length;
            hasChange = change.next();
        }
        int position = hasChange ? position(change) : length;
        int index = 0;
        for (ElementCursor at = before.cursor(); index < length && at.next(); index++) {
            if (index != position) {
                out.add(at);
                continue;
            }
            element(at, change, out);
            hasChange = change.next();
            position = hasChange ? position(change) : length;
        }
        for (; hasChange; hasChange = change.next()) {
            for (position = position(change); index < position; index++) {
                out.add(Value.NULL);
            }
            out.add(change);
            index++;
        }
    }

    private static int position(ElementCursor change) {
        String name = change.name();
        return Integer.parseInt(name, 1, name.length(), 10);
    }

    private static void element(ElementCursor at, ElementCursor change, BsonWriter out) {
        if (change.name().startsWith("u")) {
            out.add(change);
            return;
        }
        RawDocument difference = Delta.view(change);
        if (Delta.isArray(difference)) {
            out.startArray();
            array(Delta.view(at), difference, out);
        } else {
            out.startDocument();
            document(Delta.view(at), difference, out);
        }
        out.end();
    }
}
