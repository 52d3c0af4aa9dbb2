package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.proxy.TargetUri;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.JsonException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A check as one JSON document: a command, and in {@code expect} what it finds if the effect is there once. The same before
 * the operation tells what it finds if the effect is not there; what lies beyond is measured by those two.
 */
public final class JsonCheck implements Invariant {
    private final RawDocument command;
    private final Value expected;
    private final AtomicReference<@Nullable Value> before = new AtomicReference<>();

    private JsonCheck(RawDocument command, Value expected) {
        this.command = command;
        this.expected = expected;
    }

    /** An {@link IllegalArgumentException} says what is wrong with the text. */
    public static JsonCheck parse(String text) {
        RawDocument document;
        try {
            document = Json.parse(text);
        } catch (JsonException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        Value expected = document.get("expect");
        BsonWriter command = new BsonWriter();
        for (var at = document.cursor(); at.next(); ) {
            if (!at.name().equals("expect")) {
                command.copy(at);
            }
        }
        RawDocument rest = command.finish();
        if (expected == null || rest.isEmpty()) {
            throw new IllegalArgumentException("it must be a command and what it finds, such as"
                    + " {\"find\": \"days\", \"expect\": [{\"_id\": \"day\", \"counter\": 1}]}");
        }
        return new JsonCheck(rest, expected);
    }

    /** Looks at the data before the operation. */
    public void lookBefore(String uri) throws IOException {
        if (before.get() == null) {
            before.set(found(uri));
        }
    }

    @Override
    public long timesApplied(String uri) throws IOException {
        Value found = found(uri);
        Value base = before.get();
        if (Likeness.same(found, expected)) {
            return 1;
        }
        if (base != null && Likeness.same(found, base)) {
            return 0;
        }
        double none = base == null ? 0 : Likeness.amount(base);
        double once = Likeness.amount(expected);
        double now = Likeness.amount(found);
        if (once == none) {
            throw new IOException("the check finds " + Json.relaxed(found)
                    + ", which is neither what was there before nor what is expected");
        }
        double times = (now - none) / (once - none);
        return times > 1 ? Math.max(2, Math.round(times)) : 0;
    }

    private Value found(String uri) throws IOException {
        TargetUri target = TargetUri.parse(uri);
        try (Probe probe = Probe.connect(target)) {
            RawDocument reply = probe.run(target.database(), command);
            if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                    && cursor.get("firstBatch") instanceof Value.Array batch) {
                return batch;
            }
            for (String name : new String[] {"n", "values", "value"}) {
                Value value = reply.get(name);
                if (value != null) {
                    return value;
                }
            }
            return Value.of(reply);
        }
    }
}
