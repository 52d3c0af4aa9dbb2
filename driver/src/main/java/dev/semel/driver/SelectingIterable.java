package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.ExplainVerbosity;
import java.util.function.Consumer;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of find, aggregate and distinct. */
public abstract sealed class SelectingIterable<T, S extends SelectingIterable<T, S>> extends TimedIterable<T, S>
        permits FindIterable, AggregateIterable, DistinctIterable {
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;

    SelectingIterable(Scope scope, @Nullable ClientSession session, Decoder<T> decoder) {
        super(scope, session, decoder);
    }

    /** The collation; null: that of the collection. */
    public S collation(@Nullable Bson value) {
        collation = value;
        return self();
    }

    /** The index to use, by its keys; takes precedence over {@link #hintString}. */
    public S hint(@Nullable Bson value) {
        hint = value;
        return self();
    }

    /** The index to use, by its name. */
    public S hintString(@Nullable String value) {
        hintString = value;
        return self();
    }

    /** Explains the operation instead of running it. */
    final <E> E explained(
            String database, Class<E> type, @Nullable ExplainVerbosity verbosity, Consumer<Fields> command) {
        Decoder<E> decoder = scope().codecs().get(type);
        var operation = CommandOperation.read(
                        "explain",
                        database,
                        scope().readPreference(),
                        null,
                        scope().codecs(),
                        fields -> {
                            fields.writer().writeStartDocument("explain");
                            command.accept(fields);
                            fields.writer().writeEndDocument();
                            fields.put("verbosity", verbosity == null ? null : verbosity.label());
                        },
                        (reply, server) -> Reply.decode(reply.body(), decoder))
                .withMaxTime(maxTime());
        return scope().run(operation, session());
    }

    final void writeSelection(Fields fields) {
        fields.putBson("collation", collation).putHint(hint, hintString).put("comment", comment());
    }
}
