package dev.semel.server.changes;

import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts, which share its fields among them, of an event that no message could hold. They wait in temporary files for the
 * batches that take them: an idle stream has none of them in the heap.
 */
final class Fragments implements AutoCloseable {
    /** What a client takes as one document, and a little for what the server itself adds. */
    static final int EVENT_BYTES_MAX = Limits.DOCUMENT_BYTES_MAX + Limits.DOCUMENT_BYTES_ALLOWANCE;

    private static final int AROUND_BYTES = 512;

    /** Of one event: a few, each with as much as a message holds or one field. */
    private final Deque<SpilledRun> left = new ArrayDeque<>();

    private record Field(int start, int end) {
        int bytes() {
            return end - start;
        }
    }

    /** Small fields go together, in the order of their sizes; each part has its own token to go on behind it. */
    void add(RawDocument event, ResumeToken token, SpillSpace files) {
        List<Field> fields = new ArrayList<>();
        for (ElementCursor at = event.cursor(); at.next(); ) {
            if (!at.name().equals("_id")) {
                fields.add(new Field(at.elementStart(), at.valueEnd()));
            }
        }
        fields.sort(Comparator.comparingInt(Field::bytes));
        List<List<Field>> parts = new ArrayList<>();
        int room = 0;
        for (Field each : fields) {
            if (parts.isEmpty() || each.bytes() > room) {
                parts.add(new ArrayList<>());
                room = EVENT_BYTES_MAX - AROUND_BYTES;
            }
            parts.getLast().add(each);
            room -= each.bytes();
        }
        for (int i = 0; i < parts.size(); i++) {
            int bytes = parts.get(i).stream().mapToInt(Field::bytes).sum();
            BsonWriter out = new BsonWriter(bytes + AROUND_BYTES)
                    .put("_id", token.part(i + 1).toDocument())
                    .startDocument("splitEvent")
                    .put("fragment", i + 1)
                    .put("of", parts.size())
                    .end();
            parts.get(i).forEach(each -> out.copyElements(event.array(), each.start(), each.end()));
            keep(out.finish(), files);
        }
    }

    private void keep(RawDocument fragment, SpillSpace files) {
        try (SpillWriter writer = files.write()) {
            writer.add(fragment.array(), fragment.offset(), fragment.length());
            left.add(writer.finish());
        }
    }

    int size() {
        return left.size();
    }

    void skip() {
        left.remove().close();
    }

    /** The next one, which is not kept any more; null if there is none. */
    @Nullable
    RawDocument poll() {
        SpilledRun file = left.poll();
        if (file == null) {
            return null;
        }
        try (file;
                SpillReader reader = file.read()) {
            if (!reader.next()) {
                throw new IllegalStateException("an empty file");
            }
            return RawDocument.of(reader.copy());
        }
    }

    @Override
    public void close() {
        left.forEach(SpilledRun::close);
        left.clear();
    }
}
