package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * {@code $unwind}: a document per element of an array. What is no array passes as it is; null, missing and the empty array
 * remove the document, unless {@code preserve} is set.
 *
 * @param index where to put the element's position, if wanted
 */
public record Unwind(DottedPath path, @Nullable DottedPath index, boolean preserve) implements Stage {
    @Override
    public Source open(Source in, Execution execution) {
        return new Unwound(in, execution);
    }

    @Override
    public boolean collectFields(FieldSet into) {
        into.add(path.first());
        return false;
    }

    private final class Unwound implements Source {
        private final Source in;
        private final Execution execution;
        /** Without the array, which is large if there are many elements. */
        private RawDocument document = RawDocument.EMPTY;

        private @Nullable ElementCursor elements;
        private long position;

        Unwound(Source in, Execution execution) {
            this.in = in;
            this.execution = execution;
        }

        @Override
        public @Nullable RawDocument next() {
            while (true) {
                if (elements != null && elements.next()) {
                    RawDocument one = Nested.set(document, path, elements.value());
                    return indexed(one, Value.of(position++));
                }
                elements = null;
                RawDocument next = in.next();
                if (next == null) {
                    return null;
                }
                execution.environment().checkpoint();
                RawDocument whole = start(next);
                if (whole != null) {
                    return whole;
                }
            }
        }

        /** Begins with a document; if it is not to be taken apart, it is the result. */
        private @Nullable RawDocument start(RawDocument next) {
            Value value = Nested.get(next, path);
            if (value instanceof Value.Array(RawDocument array)) {
                if (!array.isEmpty()) {
                    document = Nested.set(next, path, Value.NULL).detached();
                    elements = array.cursor();
                    position = 0;
                    return null;
                }
                return preserve ? indexed(Nested.set(next, path, null), Value.NULL) : null;
            }
            boolean none = value == null || value.equals(Value.NULL) || value.equals(Value.UNDEFINED);
            return none && !preserve ? null : indexed(next, Value.NULL);
        }

        private RawDocument indexed(RawDocument one, Value at) {
            return index == null ? one : Nested.set(one, index, at);
        }

        @Override
        public void close() {
            in.close();
        }
    }
}
