package dev.semel.driver;

import dev.semel.driver.operation.Fields;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of find, aggregate and distinct. */
public abstract sealed class SelectingIterable<T, S extends SelectingIterable<T, S>> extends TimedIterable<T, S>
        permits ExplainableIterable, DistinctIterable {
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

    final void writeSelection(Fields fields) {
        fields.putBson("collation", collation).putHint(hint, hintString).put("comment", comment());
    }
}
