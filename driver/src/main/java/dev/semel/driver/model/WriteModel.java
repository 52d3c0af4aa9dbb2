package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** One statement of a bulk write. */
public sealed interface WriteModel<T>
        permits InsertOneModel, UpdateModel, ReplaceOneModel, DeleteOneModel, DeleteManyModel {
    /** An update with operators, or with a pipeline. */
    record Change(@Nullable Bson operators, @Nullable List<? extends Bson> pipeline) {
        public static Change of(Bson operators) {
            return new Change(operators, null);
        }

        public static Change of(List<? extends Bson> pipeline) {
            return new Change(null, List.copyOf(pipeline));
        }
    }
}
