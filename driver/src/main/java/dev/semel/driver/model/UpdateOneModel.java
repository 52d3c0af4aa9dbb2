package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;

/** Updates one of the documents that match. */
public record UpdateOneModel<T>(Bson filter, WriteModel.Change update, UpdateOptions options)
        implements UpdateModel<T> {
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
}
