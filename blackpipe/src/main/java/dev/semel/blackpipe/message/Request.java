package dev.semel.blackpipe.message;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command of a client.
 *
 * @param connection counted from 1 in the order in which clients connected
 * @param application the application name in the client's handshake; empty if there was none
 */
public record Request(int connection, String application, Frame frame) {
    private static final Set<String> HELLO = Set.of("hello", "isMaster", "ismaster");
    private static final int SHOWN_CHARS_MAX = 400;

    public String name() {
        Element first = body().first();
        return first == null ? "" : first.name();
    }

    public boolean isHello() {
        return HELLO.contains(name());
    }

    /** The application name in this handshake. */
    public Optional<String> introducedAs() {
        return text(get("client.application.name"));
    }

    /** Whether the client waits for a reply. */
    public boolean isAnswered() {
        return !(frame.message() instanceof Message.OpMsg msg && msg.moreToCome());
    }

    public String database() {
        return switch (frame.message()) {
            case Message.OpQuery query ->
                query.collection().substring(0, Math.max(0, query.collection().indexOf('.')));
            case Message.OpMsg msg -> text(msg.body().get("$db")).orElse("");
            case Message.OpReply reply -> "";
        };
    }

    /** As {@code database.collection}; only the database if the command has no collection. */
    public String namespace() {
        Element first = body().first();
        String main = first == null ? null : text(first.value()).orElse(null);
        String collection = main == null ? text(body().get("collection")).orElse(null) : main;
        return collection == null ? database() : database() + "." + collection;
    }

    /** The command as one document, including its document sequences. */
    public RawDocument document() {
        if (!(frame.message() instanceof Message.OpMsg msg) || msg.sequences().isEmpty()) {
            return body();
        }
        BsonWriter whole = new BsonWriter().copyAll(msg.body());
        for (Message.Sequence sequence : msg.sequences()) {
            whole.startArray(sequence.name());
            sequence.documents().forEach(whole::add);
            whole.end();
        }
        return whole.finish();
    }

    /** The field at a dotted path, array positions as numbers; null if there is none. */
    public @Nullable Value get(String path) {
        Value at = Value.of(document());
        for (String name : path.split("\\.", -1)) {
            at = switch (at) {
                case Value.Doc(RawDocument inner) -> inner.get(name);
                case Value.Array(RawDocument inner) -> inner.get(name);
                case null, default -> null;
            };
        }
        return at;
    }

    /** The labels of an error after which this request may be retried. */
    public List<String> retryLabels() {
        if (get("txnNumber") == null) {
            return List.of();
        }
        boolean isEnd = name().equals("commitTransaction") || name().equals("abortTransaction");
        // One statement of a transaction is part of something larger, which has to start again.
        return List.of(get("autocommit") != null && !isEnd ? "TransientTransactionError" : "RetryableWriteError");
    }

    private RawDocument body() {
        return switch (frame.message()) {
            case Message.OpMsg msg -> msg.body();
            case Message.OpQuery query -> query.query();
            case Message.OpReply reply -> reply.document();
        };
    }

    private static Optional<String> text(@Nullable Value value) {
        return value instanceof Value.Str(var text) ? Optional.of(text.toString()) : Optional.empty();
    }

    /** For messages: name, namespace, connection, and the beginning of the document. */
    @Override
    public String toString() {
        String json = Json.relaxed(document());
        String shown = json.length() <= SHOWN_CHARS_MAX ? json : json.substring(0, SHOWN_CHARS_MAX) + "...";
        return "%s on %s, connection %d%s%n  %s"
                .formatted(name(), namespace(), connection, application.isEmpty() ? "" : " of " + application, shown);
    }
}
