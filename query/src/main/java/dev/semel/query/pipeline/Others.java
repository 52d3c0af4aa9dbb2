package dev.semel.query.pipeline;

import dev.semel.query.value.Collation;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The collections beside its own that a pipeline may read: those of the same database, in the same snapshot. */
public interface Others {
    /**
     * What is behind a name.
     *
     * @param stages what makes a view of the collection; none if the name is the collection's
     */
    record Base(String collection, List<RawDocument> stages) {
        public Base {
            stages = List.copyOf(stages);
        }
    }

    Base base(String name);

    /**
     * What a pipeline makes of a collection, which may not be there.
     *
     * @param statistics gets what was read when the results are closed; null if nobody asks
     */
    Source open(String collection, Pipeline pipeline, boolean allowDiskUse, @Nullable ReadStatistics statistics);

    /** The documents of a collection by their {@code _id}, without a query for each; null if it takes queries. */
    default @Nullable ById byId(String collection, Collation collation) {
        return null;
    }

    /** A collection that is read by {@code _id}. */
    interface ById {
        /** The name of the index by which it is read. */
        String index();

        /** The key of the one document whose {@code _id} equals the value; null if that takes a query. */
        byte @Nullable [] key(Value id);

        /**
         * What the keys lead to, null where there is no document: as many of the first as are held together, at least one.
         */
        List<@Nullable RawDocument> get(List<byte[]> keys);
    }

    /** For pipelines that are looked at and not run. */
    Others UNREAD = new Others() {
        @Override
        public Base base(String name) {
            return new Base(name, List.of());
        }

        @Override
        public Source open(
                String collection, Pipeline pipeline, boolean allowDiskUse, @Nullable ReadStatistics statistics) {
            return Source.of(List.of());
        }
    };

    /** For pipelines over what is no collection. */
    Others NONE = new Others() {
        @Override
        public Base base(String name) {
            throw new CommandException(
                    ErrorCode.NotImplemented, "reading %s is not supported in a pipeline of this kind", name);
        }

        @Override
        public Source open(
                String collection, Pipeline pipeline, boolean allowDiskUse, @Nullable ReadStatistics statistics) {
            return UNREAD.open(collection, pipeline, allowDiskUse, statistics);
        }
    };
}
