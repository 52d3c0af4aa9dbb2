package dev.semel.driver.gridfs;

import java.time.Instant;
import java.util.Date;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * A stored file.
 *
 * @param length in bytes
 * @param chunkSize in bytes
 */
public record GridFSFile(
        BsonValue id,
        String filename,
        long length,
        int chunkSize,
        Instant uploadDate,
        @Nullable Document metadata) {
    static GridFSFile of(BsonDocument document, CodecRegistry codecs) {
        Document metadata = document.isDocument("metadata")
                ? codecs.get(Document.class)
                        .decode(
                                new BsonDocumentReader(document.getDocument("metadata")),
                                DecoderContext.builder().build())
                : null;
        return new GridFSFile(
                document.get("_id", BsonNull.VALUE),
                document.getString("filename", new BsonString("")).getValue(),
                document.getNumber("length").longValue(),
                document.getNumber("chunkSize").intValue(),
                Instant.ofEpochMilli(document.getDateTime("uploadDate").getValue()),
                metadata);
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

    public String getFilename() {
        return filename;
    }

    public long getLength() {
        return length;
    }

    public int getChunkSize() {
        return chunkSize;
    }

    public Date getUploadDate() {
        return Date.from(uploadDate);
    }

    public @Nullable Document getMetadata() {
        return metadata;
    }
}
