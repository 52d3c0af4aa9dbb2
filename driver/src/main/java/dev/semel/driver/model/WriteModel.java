package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** One statement of a bulk write. */
public sealed interface WriteModel<T> {
    /** An update as operators, or as a pipeline. */
    record Change(@Nullable Bson operators, @Nullable List<? extends Bson> pipeline) {
        public static Change of(Bson operators) {
            return new Change(operators, null);
        }

        public static Change of(List<? extends Bson> pipeline) {
            return new Change(null, List.copyOf(pipeline));
        }
    }

    record InsertOneModel<T>(T document) implements WriteModel<T> {}

    record UpdateOneModel<T>(Bson filter, Change update, UpdateOptions options) implements WriteModel<T> {
        public UpdateOneModel(Bson filter, Bson update) {
            this(filter, Change.of(update), new UpdateOptions());
        }

        public UpdateOneModel(Bson filter, Bson update, UpdateOptions options) {
            this(filter, Change.of(update), options);
        }

        public UpdateOneModel(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
            this(filter, Change.of(pipeline), options);
        }
    }

    record UpdateManyModel<T>(Bson filter, Change update, UpdateOptions options) implements WriteModel<T> {
        public UpdateManyModel(Bson filter, Bson update) {
            this(filter, Change.of(update), new UpdateOptions());
        }

        public UpdateManyModel(Bson filter, Bson update, UpdateOptions options) {
            this(filter, Change.of(update), options);
        }

        public UpdateManyModel(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
            this(filter, Change.of(pipeline), options);
        }
    }

    record ReplaceOneModel<T>(Bson filter, T replacement, ReplaceOptions options) implements WriteModel<T> {
        public ReplaceOneModel(Bson filter, T replacement) {
            this(filter, replacement, new ReplaceOptions());
        }
    }

    record DeleteOneModel<T>(Bson filter, DeleteOptions options) implements WriteModel<T> {
        public DeleteOneModel(Bson filter) {
            this(filter, new DeleteOptions());
        }
    }

    record DeleteManyModel<T>(Bson filter, DeleteOptions options) implements WriteModel<T> {
        public DeleteManyModel(Bson filter) {
            this(filter, new DeleteOptions());
        }
    }
}
