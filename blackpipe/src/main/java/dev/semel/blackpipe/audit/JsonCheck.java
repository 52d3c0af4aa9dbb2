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
 * A check as a JSON document: a command, and in {@code expect} its result if the effect is there once. Run before the
 * operation, the command shows the result without the effect; other results are compared with these two.
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

    /** Runs the command before the operation. */
    public void lookBefore(String uri) throws IOException {
        if (before.get() == null) {
            before.set(found(uri));
        }
    }

    @Override
    public long timesApplied(String uri) throws IOException {
        return switch (Measure.of(before.get(), expected, found(uri))) {
            case Effect.Times(long count) -> count;
            case Effect.Part(String found) -> throw new PartlyApplied(found);
        };
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
