package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.ExplainVerbosity;
import org.bson.Document;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of find and aggregate, which the server can also explain. */
public abstract sealed class ExplainableIterable<T, S extends ExplainableIterable<T, S>> extends SelectingIterable<T, S>
        permits FindIterable, AggregateIterable {
    private @Nullable Bson let;

    ExplainableIterable(Scope scope, @Nullable ClientSession session, Decoder<T> decoder) {
        super(scope, session, decoder);
    }

    abstract String database();

    /** The command, without what every command carries. */
    abstract void writeCommand(Fields fields);

    /** Variables that the operation can use as {@code $$name}. */
    public S let(@Nullable Bson value) {
        let = value;
        return self();
    }

    final @Nullable Bson let() {
        return let;
    }

    /** Explains the operation instead of running it, with the server's default verbosity. */
    public Document explain() {
        return explained(Document.class, null);
    }

    public Document explain(ExplainVerbosity verbosity) {
        return explained(Document.class, verbosity);
    }

    public <E> E explain(Class<E> type) {
        return explained(type, null);
    }

    public <E> E explain(Class<E> type, ExplainVerbosity verbosity) {
        return explained(type, verbosity);
    }

    private <E> E explained(Class<E> type, @Nullable ExplainVerbosity verbosity) {
        Decoder<E> decoder = scope().codecs().get(type);
        var operation = CommandOperation.read(
                        "explain",
                        database(),
                        scope().readPreference(),
                        null,
                        scope().codecs(),
                        fields -> {
                            fields.writer().writeStartDocument("explain");
                            writeCommand(fields);
                            fields.writer().writeEndDocument();
                            fields.put("verbosity", verbosity == null ? null : verbosity.label());
                        },
                        (reply, server) -> Reply.decode(reply.body(), decoder))
                .withMaxTime(maxTime());
        return scope().run(operation, session());
    }
}
