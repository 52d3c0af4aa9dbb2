package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Metadata;
import dev.semel.query.value.SortOrder;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Keeps the metadata of documents with them while a stage holds them back. */
final class HeldMetadata {
    private HeldMetadata() {}

    /** A sort of documents that carry their metadata; each comes out without, and the environment knows it. */
    static Source around(Source in, SortOrder order, Environment environment, UnaryOperator<Source> sort) {
        Source carrying = new Source() {
            @Override
            public @Nullable RawDocument next() {
                RawDocument next = in.next();
                return next == null ? null : Metadata.with(next, environment.metadata());
            }

            @Override
            public void close() {
                in.close();
            }
        };
        Source sorted = sort.apply(carrying);
        return new Source() {
            @Override
            public @Nullable RawDocument next() {
                RawDocument next = sorted.next();
                if (next == null) {
                    return null;
                }
                environment.metadata(known(next, order, environment));
                return Metadata.without(next);
            }

            @Override
            public void close() {
                sorted.close();
            }
        };
    }

    private static RawDocument known(RawDocument held, SortOrder order, Environment environment) {
        RawDocument metadata = Metadata.of(held);
        if (!environment.wantedMetadata().contains(Metadata.SORT_KEY)) {
            return metadata;
        }
        BsonWriter key = new BsonWriter();
        order.key(held).values().forEach(key::add);
        Value values = key.finishArray();
        BsonWriter more = new BsonWriter(metadata.length() + 64);
        more.copyAll(metadata);
        return more.put(Metadata.SORT_KEY, values).finish();
    }
}
