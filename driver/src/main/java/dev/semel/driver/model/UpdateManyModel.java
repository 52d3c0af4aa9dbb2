package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;

/** Updates all documents that match. */
public record UpdateManyModel<T>(Bson filter, WriteModel.Change update, UpdateOptions options)
        implements UpdateModel<T> {
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
}
