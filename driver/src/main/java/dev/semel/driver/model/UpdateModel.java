package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** An update of one or of all documents that match. */
public sealed interface UpdateModel<T> extends WriteModel<T> permits UpdateOneModel, UpdateManyModel {
    Bson filter();

    WriteModel.Change update();

    UpdateOptions options();

    default Bson getFilter() {
        return filter();
    }

    /** Null if the update is a pipeline. */
    default @Nullable Bson getUpdate() {
        return update().operators();
    }

    default @Nullable List<? extends Bson> getUpdatePipeline() {
        return update().pipeline();
    }

    default UpdateOptions getOptions() {
        return options();
    }
}
