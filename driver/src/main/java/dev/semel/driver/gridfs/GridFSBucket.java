package dev.semel.driver.gridfs;

import dev.semel.driver.ClientSession;
import dev.semel.driver.Configured;
import java.io.InputStream;
import java.io.OutputStream;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A set of files. Immutable and safe for all threads. A session of {@code null} uses an implicit session. The timeout of a bucket limits each
 * operation as a whole, and a stream from its opening to its end.
 */
public interface GridFSBucket extends Configured<GridFSBucket> {
    String getBucketName();

    /** How large the chunks of new files are, in bytes. */
    int getChunkSizeBytes();

    GridFSBucket withChunkSizeBytes(int value);

    /** Nothing can be read before the stream is closed; {@link GridFSUploadStream#abort} removes what was written. */
    GridFSUploadStream openUploadStream(
            @Nullable ClientSession session, BsonValue id, String filename, GridFSUploadOptions options);

    default GridFSUploadStream openUploadStream(String filename) {
        return openUploadStream(null, new BsonObjectId(), filename, new GridFSUploadOptions());
    }

    default GridFSUploadStream openUploadStream(String filename, GridFSUploadOptions options) {
        return openUploadStream(null, new BsonObjectId(), filename, options);
    }

    default GridFSUploadStream openUploadStream(BsonValue id, String filename) {
        return openUploadStream(null, id, filename, new GridFSUploadOptions());
    }

    /**
     * Stores all that can be read. The source stays open.
     *
     * @throws MongoGridFSException if reading failed; nothing is left of the file
     */
    void uploadFromStream(
            @Nullable ClientSession session,
            BsonValue id,
            String filename,
            InputStream source,
            GridFSUploadOptions options);

    default ObjectId uploadFromStream(
            @Nullable ClientSession session, String filename, InputStream source, GridFSUploadOptions options) {
        ObjectId id = new ObjectId();
        uploadFromStream(session, new BsonObjectId(id), filename, source, options);
        return id;
    }

    default ObjectId uploadFromStream(String filename, InputStream source) {
        return uploadFromStream(null, filename, source, new GridFSUploadOptions());
    }

    default ObjectId uploadFromStream(String filename, InputStream source, GridFSUploadOptions options) {
        return uploadFromStream(null, filename, source, options);
    }

    default void uploadFromStream(BsonValue id, String filename, InputStream source) {
        uploadFromStream(null, id, filename, source, new GridFSUploadOptions());
    }

    /** Throws {@link MongoGridFSException} if there is no such file. */
    GridFSDownloadStream openDownloadStream(@Nullable ClientSession session, BsonValue id);

    default GridFSDownloadStream openDownloadStream(ObjectId id) {
        return openDownloadStream(null, new BsonObjectId(id));
    }

    default GridFSDownloadStream openDownloadStream(BsonValue id) {
        return openDownloadStream(null, id);
    }

    GridFSDownloadStream openDownloadStream(
            @Nullable ClientSession session, String filename, GridFSDownloadOptions options);

    default GridFSDownloadStream openDownloadStream(String filename) {
        return openDownloadStream(null, filename, new GridFSDownloadOptions());
    }

    default GridFSDownloadStream openDownloadStream(String filename, GridFSDownloadOptions options) {
        return openDownloadStream(null, filename, options);
    }

    /** Writes a whole file to the target, which stays open. */
    void downloadToStream(@Nullable ClientSession session, BsonValue id, OutputStream target);

    default void downloadToStream(ObjectId id, OutputStream target) {
        downloadToStream(null, new BsonObjectId(id), target);
    }

    default void downloadToStream(BsonValue id, OutputStream target) {
        downloadToStream(null, id, target);
    }

    void downloadToStream(
            @Nullable ClientSession session, String filename, OutputStream target, GridFSDownloadOptions options);

    default void downloadToStream(String filename, OutputStream target) {
        downloadToStream(null, filename, target, new GridFSDownloadOptions());
    }

    default void downloadToStream(String filename, OutputStream target, GridFSDownloadOptions options) {
        downloadToStream(null, filename, target, options);
    }

    GridFSFindIterable find(@Nullable ClientSession session, Bson filter);

    default GridFSFindIterable find() {
        return find(null, new BsonDocument());
    }

    default GridFSFindIterable find(Bson filter) {
        return find(null, filter);
    }

    /** Throws {@link MongoGridFSException} if there is no such file. */
    void delete(@Nullable ClientSession session, BsonValue id);

    default void delete(ObjectId id) {
        delete(null, new BsonObjectId(id));
    }

    default void delete(BsonValue id) {
        delete(null, id);
    }

    /** All revisions. Throws {@link MongoGridFSException} if there is none. */
    void deleteByName(@Nullable ClientSession session, String filename);

    default void deleteByName(String filename) {
        deleteByName(null, filename);
    }

    /** Throws {@link MongoGridFSException} if there is no such file. */
    void rename(@Nullable ClientSession session, BsonValue id, String newFilename);

    default void rename(ObjectId id, String newFilename) {
        rename(null, new BsonObjectId(id), newFilename);
    }

    default void rename(BsonValue id, String newFilename) {
        rename(null, id, newFilename);
    }

    /** All revisions. Throws {@link MongoGridFSException} if there is none. */
    void renameByName(@Nullable ClientSession session, String filename, String newFilename);

    default void renameByName(String filename, String newFilename) {
        renameByName(null, filename, newFilename);
    }

    /** Drops all files. */
    void drop(@Nullable ClientSession session);

    default void drop() {
        drop(null);
    }
}
