package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Updates one of the documents that match. */
public record UpdateOneModel<T>(Bson filter, WriteModel.Change update, UpdateOptions options) implements WriteModel<T> {
    public UpdateOneModel(Bson filter, Bson update) {
        this(filter, update, new UpdateOptions());
    }

    public UpdateOneModel(Bson filter, Bson update, UpdateOptions options) {
        this(filter, WriteModel.Change.of(update), options);
    }

    public UpdateOneModel(Bson filter, List<? extends Bson> pipeline) {
        this(filter, pipeline, new UpdateOptions());
    }

    public UpdateOneModel(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        this(filter, WriteModel.Change.of(pipeline), options);
    }

    public Bson getFilter() {
        return filter;
    }

    /** Null where it is a pipeline. */
    public @Nullable Bson getUpdate() {
        return update.operators();
    }

    public @Nullable List<? extends Bson> getUpdatePipeline() {
        return update.pipeline();
    }

    public UpdateOptions getOptions() {
        return options;
    }
}
