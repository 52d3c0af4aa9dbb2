package dev.semel.server.changes;

import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Cuts an event that no message could hold into several that share its fields among them. */
final class Fragments {
    /** What a client takes as one document, and a little for what the server itself adds. */
    static final int EVENT_BYTES_MAX = Limits.DOCUMENT_BYTES_MAX + Limits.DOCUMENT_BYTES_ALLOWANCE;

    private static final int AROUND_BYTES = 512;

    private Fragments() {}

    private record Field(int start, int end) {
        int bytes() {
            return end - start;
        }
    }

    /** Small fields go together, in the order of their sizes; each part has its own token to go on behind it. */
    static List<RawDocument> of(RawDocument event, ResumeToken token) {
        List<Field> fields = new ArrayList<>();
        for (ElementCursor at = event.cursor(); at.next(); ) {
            if (!at.name().equals("_id")) {
                fields.add(new Field(at.elementStart(), at.valueEnd()));
            }
        }
        fields.sort(Comparator.comparingInt(Field::bytes));
        List<List<Field>> parts = new ArrayList<>();
        int left = 0;
        for (Field each : fields) {
            if (parts.isEmpty() || each.bytes() > left) {
                parts.add(new ArrayList<>());
                left = EVENT_BYTES_MAX - AROUND_BYTES;
            }
            parts.getLast().add(each);
            left -= each.bytes();
        }
        List<RawDocument> fragments = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            BsonWriter out = new BsonWriter(AROUND_BYTES)
                    .put("_id", token.part(i + 1).toDocument())
                    .startDocument("splitEvent")
                    .put("fragment", i + 1)
                    .put("of", parts.size())
                    .end();
            parts.get(i).forEach(each -> out.copyElements(event.array(), each.start(), each.end()));
            fragments.add(out.finish());
        }
        return fragments;
    }
}
