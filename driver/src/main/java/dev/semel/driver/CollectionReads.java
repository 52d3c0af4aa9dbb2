package dev.semel.driver;

import dev.semel.driver.model.CountOptions;
import dev.semel.driver.model.EstimatedDocumentCountOptions;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a collection. A session of {@code null} uses an implicit session. An iterable runs its command each time
 * it is iterated, and raises the server's errors then.
 */
public interface CollectionReads<T> {
    Class<T> getDocumentClass();

    /** Finds the documents that match the filter. */
    <R> FindIterable<R> find(@Nullable ClientSession session, Bson filter, Class<R> resultClass);

    default FindIterable<T> find() {
        return find(null, new BsonDocument(), getDocumentClass());
    }

    default <R> FindIterable<R> find(Class<R> resultClass) {
        return find(null, new BsonDocument(), resultClass);
    }

    default FindIterable<T> find(Bson filter) {
        return find(null, filter, getDocumentClass());
    }

    default <R> FindIterable<R> find(Bson filter, Class<R> resultClass) {
        return find(null, filter, resultClass);
    }

    default FindIterable<T> find(ClientSession session) {
        return find(session, new BsonDocument(), getDocumentClass());
    }

    default <R> FindIterable<R> find(ClientSession session, Class<R> resultClass) {
        return find(session, new BsonDocument(), resultClass);
    }

    default FindIterable<T> find(ClientSession session, Bson filter) {
        return find(session, filter, getDocumentClass());
    }

    /** Runs an aggregation pipeline. */
    <R> AggregateIterable<R> aggregate(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass);

    default AggregateIterable<T> aggregate(List<? extends Bson> pipeline) {
        return aggregate(null, pipeline, getDocumentClass());
    }

    default <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
        return aggregate(null, pipeline, resultClass);
    }

    default AggregateIterable<T> aggregate(ClientSession session, List<? extends Bson> pipeline) {
        return aggregate(session, pipeline, getDocumentClass());
    }

    /** The distinct values of a field; the elements of an array are separate values. */
    <R> DistinctIterable<R> distinct(
            @Nullable ClientSession session, String fieldName, Bson filter, Class<R> resultClass);

    default <R> DistinctIterable<R> distinct(String fieldName, Class<R> resultClass) {
        return distinct(null, fieldName, new BsonDocument(), resultClass);
    }

    default <R> DistinctIterable<R> distinct(String fieldName, Bson filter, Class<R> resultClass) {
        return distinct(null, fieldName, filter, resultClass);
    }

    default <R> DistinctIterable<R> distinct(ClientSession session, String fieldName, Class<R> resultClass) {
        return distinct(session, fieldName, new BsonDocument(), resultClass);
    }

    /** Counts with an aggregation, so it also works in transactions. */
    long countDocuments(@Nullable ClientSession session, Bson filter, CountOptions options);

    default long countDocuments() {
        return countDocuments(null, new BsonDocument(), new CountOptions());
    }

    default long countDocuments(Bson filter) {
        return countDocuments(null, filter, new CountOptions());
    }

    default long countDocuments(Bson filter, CountOptions options) {
        return countDocuments(null, filter, options);
    }

    default long countDocuments(ClientSession session) {
        return countDocuments(session, new BsonDocument(), new CountOptions());
    }

    default long countDocuments(ClientSession session, Bson filter) {
        return countDocuments(session, filter, new CountOptions());
    }

    /** An estimate from the collection's metadata, without reading documents. */
    long estimatedDocumentCount(EstimatedDocumentCountOptions options);

    default long estimatedDocumentCount() {
        return estimatedDocumentCount(new EstimatedDocumentCountOptions());
    }
}
