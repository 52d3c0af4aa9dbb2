package dev.semel.driver;

import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The target of a change stream: a collection, a database, or the deployment. */
public interface Watchable {
    /**
     * Opens a change stream that starts now, or where the iterable's options say.
     *
     * @param session null for an implicit session
     * @param pipeline stages for each change; they have to keep its {@code _id}
     */
    <R> ChangeStreamIterable<R> watch(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass);

    default <R> ChangeStreamIterable<R> watch(List<? extends Bson> pipeline, Class<R> resultClass) {
        return watch(null, pipeline, resultClass);
    }

    default ChangeStreamIterable<Document> watch(List<? extends Bson> pipeline) {
        return watch(null, pipeline, Document.class);
    }

    default ChangeStreamIterable<Document> watch() {
        return watch(null, List.of(), Document.class);
    }

    default <R> ChangeStreamIterable<R> watch(Class<R> resultClass) {
        return watch(null, List.of(), resultClass);
    }

    default ChangeStreamIterable<Document> watch(ClientSession session, List<? extends Bson> pipeline) {
        return watch(session, pipeline, Document.class);
    }

    default ChangeStreamIterable<Document> watch(ClientSession session) {
        return watch(session, List.of(), Document.class);
    }

    default <R> ChangeStreamIterable<R> watch(ClientSession session, Class<R> resultClass) {
        return watch(session, List.of(), resultClass);
    }
}
