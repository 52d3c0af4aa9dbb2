package dev.semel.driver.gridfs;

import dev.semel.driver.MongoCursor;
import java.io.InputStream;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file chunk by chunk. For one thread at a time. Its methods raise what the driver raises, and {@link
 * MongoGridFSException} if a chunk is missing or damaged; no {@link java.io.IOException}.
 */
public final class GridFSDownloadStream extends InputStream {
    private final Store store;
    private final GridFSFile file;
    private final int chunks;
    private int batchSize;
    private @Nullable MongoCursor<BsonDocument> cursor;
    private byte[] chunk = new byte[0];
    private int position;
    private int nextChunk;
    private boolean isClosed;

    GridFSDownloadStream(Store store, GridFSFile file) {
        this.store = store;
        this.file = file;
        chunks = Math.toIntExact(Math.ceilDiv(file.length(), (long) file.chunkSize()));
    }

    public GridFSFile getGridFSFile() {
        return file;
    }

    /** Number of chunks per batch; 0: the server decides. Must be set before the first read. */
    public GridFSDownloadStream batchSize(int value) {
        batchSize = value;
        return this;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target) {
        return read(target, 0, target.length);
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, target.length);
        checkOpen();
        if (count == 0) {
            return 0;
        }
        if (position == chunk.length && !advance()) {
            return -1;
        }
        int taken = Math.min(count, chunk.length - position);
        System.arraycopy(chunk, position, target, offset, taken);
        position += taken;
        return taken;
    }

    @Override
    public long skip(long count) {
        checkOpen();
        long left = count;
        while (left > 0 && (position < chunk.length || advance())) {
            int taken = (int) Math.min(left, chunk.length - position);
            position += taken;
            left -= taken;
        }
        return Math.max(0, count - left);
    }

    @Override
    public int available() {
        checkOpen();
        return chunk.length - position;
    }

    private void checkOpen() {
        if (isClosed) {
            throw new MongoGridFSException("The stream from '" + file.filename() + "' is closed");
        }
    }

    /** False at the end of the file. */
    private boolean advance() {
        if (file.length() == 0) {
            return false;
        }
        MongoCursor<BsonDocument> open = cursor;
        if (open == null) {
            open = store.chunks()
                    .find(store.session(), new BsonDocument("files_id", file.id()), BsonDocument.class)
                    .sort(new BsonDocument("n", new BsonInt32(1)))
                    .batchSize(batchSize)
                    .cursor();
            cursor = open;
        }
        if (!open.hasNext()) {
            if (nextChunk < chunks) {
                throw damaged("chunk " + nextChunk + " of " + chunks + " is missing");
            }
            return false;
        }
        chunk = checked(open.next());
        position = 0;
        nextChunk++;
        return true;
    }

    private byte[] checked(BsonDocument document) {
        int number = document.getNumber("n").intValue();
        if (nextChunk >= chunks) {
            throw damaged("there is a chunk " + number + " behind its end");
        }
        if (number != nextChunk) {
            throw damaged("chunk " + nextChunk + " is missing, found " + number);
        }
        byte[] data = document.getBinary("data").getData();
        long expected =
                nextChunk == chunks - 1 ? file.length() - (long) nextChunk * file.chunkSize() : file.chunkSize();
        if (data.length != expected) {
            throw damaged("chunk " + number + " has " + data.length + " bytes instead of " + expected);
        }
        return data;
    }

    private MongoGridFSException damaged(String how) {
        return new MongoGridFSException(
                "The file '" + file.filename() + "' with the id " + file.id() + " is damaged: " + how);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (cursor != null) {
                cursor.close();
            }
        }
    }
}
