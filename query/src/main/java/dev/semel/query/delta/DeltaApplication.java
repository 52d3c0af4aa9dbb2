package dev.semel.query.delta;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the newer document of an older one and the {@link Delta difference} between them. */
public final class DeltaApplication {
    private DeltaApplication() {}

    public static RawDocument apply(RawDocument before, RawDocument difference) {
        BsonWriter out = new BsonWriter(before.length() + difference.length());
        document(before, difference, out);
        return out.finish();
    }

    private static void document(RawDocument before, RawDocument difference, BsonWriter out) {
        RawDocument removed = RawDocument.EMPTY;
        RawDocument changed = RawDocument.EMPTY;
        RawDocument added = RawDocument.EMPTY;
        Map<String, RawDocument> inner = new LinkedHashMap<>();
        for (Element part : difference) {
            RawDocument fields = ((Value.Doc) part.value()).document();
            switch (part.name()) {
                case "d" -> removed = fields;
                case "u" -> changed = fields;
                case "i" -> added = fields;
                default -> inner.put(part.name().substring(1), fields);
            }
        }
        for (ElementCursor at = before.cursor(); at.next(); ) {
            String name = at.name();
            Value replacement = changed.get(name);
            RawDocument within = inner.get(name);
            if (replacement != null) {
                out.put(name, replacement);
            } else if (within != null) {
                nested(name, at, within, out);
            } else if (!removed.has(name) && !added.has(name)) {
                out.copy(at);
            }
        }
        out.copyAll(added);
    }

    private static void nested(String name, ElementCursor at, RawDocument difference, BsonWriter out) {
        RawDocument before = RawDocument.view(at.array(), at.valueStart());
        if (Delta.isArray(difference)) {
            out.startArray(name);
            array(before, difference, out);
        } else {
            out.startDocument(name);
            document(before, difference, out);
        }
        out.end();
    }

    private static void array(RawDocument before, RawDocument difference, BsonWriter out) {
        int length = Integer.MAX_VALUE;
        TreeMap<Integer, Element> changes = new TreeMap<>();
        for (Element part : difference) {
            if (part.name().equals("l") && part.value() instanceof Value.Int32(int newLength)) {
                length = newLength;
            } else if (!part.name().equals("a")) {
                changes.put(Integer.parseInt(part.name(), 1, part.name().length(), 10), part);
            }
        }
        int index = 0;
        for (ElementCursor at = before.cursor(); index < length && at.next(); index++) {
            element(at, changes.remove(index), out);
        }
        for (Map.Entry<Integer, Element> each : changes.entrySet()) {
            for (; index < each.getKey() && index < length; index++) {
                out.add(Value.NULL);
            }
            if (index < length) {
                out.add(each.getValue().value());
                index++;
            }
        }
    }

    private static void element(ElementCursor at, @Nullable Element change, BsonWriter out) {
        if (change == null) {
            out.add(at);
            return;
        }
        if (change.name().startsWith("u")) {
            out.add(change.value());
            return;
        }
        RawDocument before = RawDocument.view(at.array(), at.valueStart());
        RawDocument difference = ((Value.Doc) change.value()).document();
        if (Delta.isArray(difference)) {
            out.startArray();
            array(before, difference, out);
        } else {
            out.startDocument();
            document(before, difference, out);
        }
        out.end();
    }
}
