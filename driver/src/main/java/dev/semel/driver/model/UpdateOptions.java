package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of {@code updateOne} and {@code updateMany}. */
public final class UpdateOptions extends ChangingOptions<UpdateOptions> {
    private @Nullable List<? extends Bson> arrayFilters;

    /** The array filters: the elements that {@code $[name]} refers to. */
    public @Nullable List<? extends Bson> getArrayFilters() {
        return arrayFilters;
    }

    public UpdateOptions arrayFilters(@Nullable List<? extends Bson> value) {
        arrayFilters = value;
        return this;
    }

    @Override
    UpdateOptions self() {
        return this;
    }
}
