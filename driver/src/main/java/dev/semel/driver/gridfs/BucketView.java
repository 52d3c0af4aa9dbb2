package dev.semel.driver.gridfs;

import dev.semel.driver.ClientSession;
import dev.semel.driver.MongoDatabase;
import dev.semel.driver.connection.Time;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A bucket with the settings of a database. */
final class BucketView implements GridFSBucket {
    private static final int COPIED_BYTES = 16 * 1024;

    private final MongoDatabase database;
    private final String name;
    private final int chunkSizeBytes;
    private final Time time;

    BucketView(MongoDatabase database, String name, int chunkSizeBytes, Time time) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The name of the bucket is empty");
        }
        if (chunkSizeBytes <= 0) {
            throw new IllegalArgumentException("chunkSizeBytes must be positive, found " + chunkSizeBytes);
        }
        this.database = database;
        this.name = name;
        this.chunkSizeBytes = chunkSizeBytes;
        this.time = time;
    }

    private BucketView with(MongoDatabase other) {
        return new BucketView(other, name, chunkSizeBytes, time);
    }

    @Override
    public String getBucketName() {
        return name;
    }

    @Override
    public int getChunkSizeBytes() {
        return chunkSizeBytes;
    }

    @Override
    public CodecRegistry getCodecRegistry() {
        return database.getCodecRegistry();
    }

    @Override
    public ReadPreference getReadPreference() {
        return database.getReadPreference();
    }

    @Override
    public ReadConcern getReadConcern() {
        return database.getReadConcern();
    }

    @Override
    public WriteConcern getWriteConcern() {
        return database.getWriteConcern();
    }

    @Override
    public @Nullable Duration getTimeout() {
        return database.getTimeout();
    }

    @Override
    public GridFSBucket withChunkSizeBytes(int value) {
        return new BucketView(database, name, value, time);
    }

    @Override
    public GridFSBucket withCodecRegistry(CodecRegistry value) {
        return with(database.withCodecRegistry(value));
    }

    @Override
    public GridFSBucket withReadPreference(ReadPreference value) {
        return with(database.withReadPreference(value));
    }

    @Override
    public GridFSBucket withReadConcern(ReadConcern value) {
        return with(database.withReadConcern(value));
    }

    @Override
    public GridFSBucket withWriteConcern(WriteConcern value) {
        return with(database.withWriteConcern(value));
    }

    @Override
    public GridFSBucket withTimeout(@Nullable Duration value) {
        return with(database.withTimeout(value));
    }

    private Store store(@Nullable ClientSession session) {
        return new Store(database, name, session, time);
    }

    @Override
    public GridFSUploadStream openUploadStream(
            @Nullable ClientSession session, BsonValue id, String filename, GridFSUploadOptions options) {
        Integer chunkSize = options.getChunkSizeBytes();
        return new GridFSUploadStream(
                store(session), id, filename, chunkSize == null ? chunkSizeBytes : chunkSize, metadata(options));
    }

    private @Nullable BsonDocument metadata(GridFSUploadOptions options) {
        Document metadata = options.getMetadata();
        return metadata == null ? null : metadata.toBsonDocument(Document.class, database.getCodecRegistry());
    }

    @Override
    public void uploadFromStream(
            @Nullable ClientSession session,
            BsonValue id,
            String filename,
            InputStream source,
            GridFSUploadOptions options) {
        GridFSUploadStream upload = openUploadStream(session, id, filename, options);
        byte[] buffer = new byte[COPIED_BYTES];
        try {
            for (int read = source.read(buffer); read >= 0; read = source.read(buffer)) {
                upload.write(buffer, 0, read);
            }
        } catch (IOException e) {
            upload.abort();
            throw new MongoGridFSException("Reading the source of the file '" + filename + "' failed", e);
        }
        upload.close();
    }

    @Override
    public GridFSDownloadStream openDownloadStream(@Nullable ClientSession session, BsonValue id) {
        Store store = store(session);
        BsonDocument file = store.files()
                .find(session, new BsonDocument("_id", id), BsonDocument.class)
                .first();
        if (file == null) {
            throw noFile("id " + id);
        }
        return new GridFSDownloadStream(store, store.file(file));
    }

    @Override
    public GridFSDownloadStream openDownloadStream(
            @Nullable ClientSession session, String filename, GridFSDownloadOptions options) {
        Store store = store(session);
        int revision = options.getRevision();
        BsonDocument file = store.files()
                .find(session, named(filename), BsonDocument.class)
                .sort(new BsonDocument("uploadDate", new BsonInt32(revision < 0 ? -1 : 1)))
                .skip(revision < 0 ? -revision - 1 : revision)
                .first();
        if (file == null) {
            throw noFile("name '" + filename + "' and revision " + revision);
        }
        return new GridFSDownloadStream(store, store.file(file));
    }

    private static BsonDocument named(String filename) {
        return new BsonDocument("filename", new BsonString(filename));
    }

    private MongoGridFSException noFile(String which) {
        return new MongoGridFSException("There is no file with the " + which + " in the bucket '" + name + "'");
    }

    @Override
    public void downloadToStream(@Nullable ClientSession session, BsonValue id, OutputStream target) {
        copy(openDownloadStream(session, id), target);
    }

    @Override
    public void downloadToStream(
            @Nullable ClientSession session, String filename, OutputStream target, GridFSDownloadOptions options) {
        copy(openDownloadStream(session, filename, options), target);
    }

    private static void copy(GridFSDownloadStream source, OutputStream target) {
        try (source) {
            source.transferTo(target);
        } catch (IOException e) {
            throw new MongoGridFSException(
                    "Writing '" + source.getGridFSFile().filename() + "' to the target failed", e);
        }
    }

    @Override
    public GridFSFindIterable find(@Nullable ClientSession session, Bson filter) {
        return new GridFSFindIterable(
                store(session).files().find(session, filter, BsonDocument.class), database.getCodecRegistry());
    }

    @Override
    public void delete(@Nullable ClientSession session, BsonValue id) {
        Store store = store(session);
        var result = store.files().deleteOne(session, new BsonDocument("_id", id), new DeleteOptions());
        store.chunks().deleteMany(session, new BsonDocument("files_id", id), new DeleteOptions());
        if (result.wasAcknowledged() && result.deletedCount() == 0) {
            throw noFile("id " + id);
        }
    }

    @Override
    public void deleteByName(@Nullable ClientSession session, String filename) {
        Store store = store(session);
        var ids = new BsonArray();
        store.files()
                .find(session, named(filename), BsonDocument.class)
                .projection(new BsonDocument("_id", new BsonInt32(1)))
                .forEach(each -> ids.add(each.get("_id")));
        if (ids.isEmpty()) {
            throw noFile("name '" + filename + "'");
        }
        var any = new BsonDocument("$in", ids);
        store.files().deleteMany(session, new BsonDocument("_id", any), new DeleteOptions());
        store.chunks().deleteMany(session, new BsonDocument("files_id", any), new DeleteOptions());
    }

    @Override
    public void rename(@Nullable ClientSession session, BsonValue id, String newFilename) {
        var result = store(session)
                .files()
                .updateOne(session, new BsonDocument("_id", id), renaming(newFilename), new UpdateOptions());
        if (result.wasAcknowledged() && result.matchedCount() == 0) {
            throw noFile("id " + id);
        }
    }

    @Override
    public void renameByName(@Nullable ClientSession session, String filename, String newFilename) {
        var result =
                store(session).files().updateMany(session, named(filename), renaming(newFilename), new UpdateOptions());
        if (result.wasAcknowledged() && result.matchedCount() == 0) {
            throw noFile("name '" + filename + "'");
        }
    }

    private static BsonDocument renaming(String newFilename) {
        return new BsonDocument("$set", named(newFilename));
    }

    @Override
    public void drop(@Nullable ClientSession session) {
        Store store = store(session);
        store.files().drop(session);
        store.chunks().drop(session);
    }
}
