package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of {@code findOneAndUpdate}. */
public final class FindOneAndUpdateOptions extends FindOneAndChangeOptions<FindOneAndUpdateOptions> {
    private @Nullable List<? extends Bson> arrayFilters;

    /** The array filters: the elements that {@code $[name]} refers to. */
    public @Nullable List<? extends Bson> getArrayFilters() {
        return arrayFilters;
    }

    public FindOneAndUpdateOptions arrayFilters(@Nullable List<? extends Bson> value) {
        arrayFilters = value;
        return this;
    }

    @Override
    FindOneAndUpdateOptions self() {
        return this;
    }
}
