package dev.semel.driver;

import dev.semel.driver.operation.Fields;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** For iterables that begin with a filter. */
public abstract sealed class SelectingIterable<T, S extends SelectingIterable<T, S>> extends TimedIterable<T, S>
        permits FindIterable, AggregateIterable, DistinctIterable {
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;

    SelectingIterable(Scope scope, @Nullable ClientSession session, Decoder<T> decoder) {
        super(scope, session, decoder);
    }

    /** By which language's rules strings are compared; null: by the collection's. */
    public S collation(@Nullable Bson value) {
        collation = value;
        return self();
    }

    /** Which index to use, by its keys; goes before {@link #hintString}. */
    public S hint(@Nullable Bson value) {
        hint = value;
        return self();
    }

    /** Which index to use, by its name. */
    public S hintString(@Nullable String value) {
        hintString = value;
        return self();
    }

    final void writeSelection(Fields fields) {
        fields.putBson("collation", collation).putHint(hint, hintString).put("comment", comment());
    }
}
