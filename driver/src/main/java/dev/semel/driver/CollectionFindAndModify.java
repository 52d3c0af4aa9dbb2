package dev.semel.driver;

import dev.semel.driver.model.FindOneAndDeleteOptions;
import dev.semel.driver.model.FindOneAndReplaceOptions;
import dev.semel.driver.model.FindOneAndUpdateOptions;
import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Changes one document and returns it, atomically. Null means that no document matched; a session of {@code null} uses
 * an implicit session.
 */
public interface CollectionFindAndModify<T> {
    @Nullable
    T findOneAndDelete(@Nullable ClientSession session, Bson filter, FindOneAndDeleteOptions options);

    default @Nullable T findOneAndDelete(Bson filter) {
        return findOneAndDelete(null, filter, new FindOneAndDeleteOptions());
    }

    default @Nullable T findOneAndDelete(Bson filter, FindOneAndDeleteOptions options) {
        return findOneAndDelete(null, filter, options);
    }

    default @Nullable T findOneAndDelete(ClientSession session, Bson filter) {
        return findOneAndDelete(session, filter, new FindOneAndDeleteOptions());
    }

    @Nullable
    T findOneAndReplace(@Nullable ClientSession session, Bson filter, T replacement, FindOneAndReplaceOptions options);

    default @Nullable T findOneAndReplace(Bson filter, T replacement) {
        return findOneAndReplace(null, filter, replacement, new FindOneAndReplaceOptions());
    }

    default @Nullable T findOneAndReplace(Bson filter, T replacement, FindOneAndReplaceOptions options) {
        return findOneAndReplace(null, filter, replacement, options);
    }

    default @Nullable T findOneAndReplace(ClientSession session, Bson filter, T replacement) {
        return findOneAndReplace(session, filter, replacement, new FindOneAndReplaceOptions());
    }

    @Nullable
    T findOneAndUpdate(@Nullable ClientSession session, Bson filter, Bson update, FindOneAndUpdateOptions options);

    default @Nullable T findOneAndUpdate(Bson filter, Bson update) {
        return findOneAndUpdate(null, filter, update, new FindOneAndUpdateOptions());
    }

    default @Nullable T findOneAndUpdate(Bson filter, Bson update, FindOneAndUpdateOptions options) {
        return findOneAndUpdate(null, filter, update, options);
    }

    default @Nullable T findOneAndUpdate(ClientSession session, Bson filter, Bson update) {
        return findOneAndUpdate(session, filter, update, new FindOneAndUpdateOptions());
    }

    @Nullable
    T findOneAndUpdate(
            @Nullable ClientSession session,
            Bson filter,
            List<? extends Bson> pipeline,
            FindOneAndUpdateOptions options);

    default @Nullable T findOneAndUpdate(Bson filter, List<? extends Bson> pipeline) {
        return findOneAndUpdate(null, filter, pipeline, new FindOneAndUpdateOptions());
    }

    default @Nullable T findOneAndUpdate(Bson filter, List<? extends Bson> pipeline, FindOneAndUpdateOptions options) {
        return findOneAndUpdate(null, filter, pipeline, options);
    }

    default @Nullable T findOneAndUpdate(ClientSession session, Bson filter, List<? extends Bson> pipeline) {
        return findOneAndUpdate(session, filter, pipeline, new FindOneAndUpdateOptions());
    }
}
