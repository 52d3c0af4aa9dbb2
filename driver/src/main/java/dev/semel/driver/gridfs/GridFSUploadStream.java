package dev.semel.driver.gridfs;

import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.InsertOneOptions;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Stores what is written to it as chunks; closing it makes them a file. For one thread at a time. Its methods raise what the
 * driver raises, no {@link java.io.IOException}.
 */
public final class GridFSUploadStream extends OutputStream {
    private final Store store;
    private final BsonValue id;
    private final String filename;
    private final @Nullable BsonDocument metadata;
    private final byte[] chunk;
    private int filled;
    private int chunks;
    private long length;
    private boolean hasIndexes;
    private boolean isClosed;

    GridFSUploadStream(
            Store store, BsonValue id, String filename, int chunkSizeBytes, @Nullable BsonDocument metadata) {
        this.store = store;
        this.id = id;
        this.filename = filename;
        this.metadata = metadata;
        chunk = new byte[chunkSizeBytes];
    }

    public BsonValue getId() {
        return id;
    }

    /** Throws {@link MongoGridFSException} if the id is of another type. */
    public ObjectId getObjectId() {
        if (!id.isObjectId()) {
            throw new MongoGridFSException("The id of '" + filename + "' is no ObjectId but " + id);
        }
        return id.asObjectId().getValue();
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        checkOpen();
        int from = offset;
        while (from < offset + count) {
            int taken = Math.min(chunk.length - filled, offset + count - from);
            System.arraycopy(bytes, from, chunk, filled, taken);
            filled += taken;
            from += taken;
            if (filled == chunk.length) {
                flushChunk();
            }
        }
    }

    /** A chunk is stored when it is full: the next one begins where it ends. */
    @Override
    public void flush() {
        // Half a chunk could not be completed later.
    }

    private void flushChunk() {
        ensureIndexes();
        if (filled > 0) {
            var document = new BsonDocument("_id", new BsonObjectId())
                    .append("files_id", id)
                    .append("n", new BsonInt32(chunks))
                    .append("data", new BsonBinary(Arrays.copyOf(chunk, filled)));
            store.chunks().insertOne(store.session(), document, new InsertOneOptions());
            length += filled;
            filled = 0;
            chunks++;
        }
    }

    private void ensureIndexes() {
        if (!hasIndexes) {
            new BucketIndexes(store).ensure();
            hasIndexes = true;
        }
    }

    private void checkOpen() {
        if (isClosed) {
            throw new MongoGridFSException("The stream to '" + filename + "' is closed");
        }
    }

    /** Removes the stored chunks; no file is created. Throws {@link MongoGridFSException} if the stream is closed. */
    public void abort() {
        checkOpen();
        isClosed = true;
        store.chunks().deleteMany(store.session(), new BsonDocument("files_id", id), new DeleteOptions());
    }

    /** Completes the file. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        flushChunk();
        var file = new BsonDocument("_id", id)
                .append("length", new BsonInt64(length))
                .append("chunkSize", new BsonInt32(chunk.length))
                .append("uploadDate", new BsonDateTime(store.now().toEpochMilli()))
                .append("filename", new BsonString(filename));
        if (metadata != null) {
            file.append("metadata", metadata);
        }
        store.files().insertOne(store.session(), file, new InsertOneOptions());
    }
}
