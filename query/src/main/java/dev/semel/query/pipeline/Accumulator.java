package dev.semel.query.pipeline;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** What one field of {@code $group} has gathered in one group. */
interface Accumulator {
    /** Takes the argument's value for one document, null if it is missing. */
    void add(@Nullable Value value, RawDocument document);

    /** The same for a value as it stands in the document; {@link FieldLocator#MISSING} is the type of a missing one. */
    default void add(byte type, int at, RawDocument document) {
        add(type == FieldLocator.MISSING ? null : ElementCursor.decode(document.array(), type, at), document);
    }

    Value result();

    /** All that it has gathered, for {@link #combine}, which takes it in again. */
    Value state();

    /** Takes in the state of another one of its kind, whose documents came later than its own. */
    void combine(Value state);
}
