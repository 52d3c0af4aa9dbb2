package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Updates all documents that match. */
public record UpdateManyModel<T>(Bson filter, WriteModel.Change update, UpdateOptions options)
        implements WriteModel<T> {
    public UpdateManyModel(Bson filter, Bson update) {
        this(filter, update, new UpdateOptions());
    }

    public UpdateManyModel(Bson filter, Bson update, UpdateOptions options) {
        this(filter, WriteModel.Change.of(update), options);
    }

    public UpdateManyModel(Bson filter, List<? extends Bson> pipeline) {
        this(filter, pipeline, new UpdateOptions());
    }

    public UpdateManyModel(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
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
