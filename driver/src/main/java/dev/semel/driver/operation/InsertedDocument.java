package dev.semel.driver.operation;

import dev.semel.driver.connection.Reply;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.bson.BsonBinaryWriter;
import org.bson.BsonObjectId;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.Encoder;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.ObjectId;

/**
 * Encodes documents to insert. The id that is reported is read from the bytes that are sent, so the two cannot differ; a
 * document encoded without an id gets one here, because an id that the server generates would not be reported.
 */
final class InsertedDocument {
    private static final BsonValueCodec VALUE = new BsonValueCodec();
    private static final byte[] ID = "_id".getBytes(StandardCharsets.UTF_8);

    private InsertedDocument() {}

    /** The document to encode: with an id, if its codec can give it one. A codec of immutable documents returns another. */
    static <T> T withId(T document, Codec<T> codec) {
        return codec instanceof CollectibleCodec<T> collectible
                ? collectible.generateIdIfAbsentFromDocument(document)
                : document;
    }

    /** Writes the document where the writer and its buffer stand, and returns its id. */
    static <T> BsonValue write(
            BsonBinaryWriter writer, BasicOutputBuffer out, String field, T document, Encoder<T> encoder) {
        int before = out.getPosition();
        StoredDocument.write(writer, field, document, encoder);
        return id(out, before + StoredDocument.headBytes(field), ObjectId::new);
    }

    /** Writes the document as the next of a sequence, and returns its id: the given one where it has none of its own. */
    static <T> BsonValue write(
            BsonBinaryWriter writer,
            BasicOutputBuffer out,
            T document,
            Encoder<T> encoder,
            Supplier<ObjectId> otherwise) {
        int start = out.getPosition();
        StoredDocument.write(writer, document, encoder);
        return id(out, start, otherwise);
    }

    private static BsonValue id(BasicOutputBuffer out, int start, Supplier<ObjectId> otherwise) {
        RawDocument encoded = RawDocument.view(out.getInternalBuffer(), start);
        Value id = encoded.get(ID);
        if (id instanceof Value.Oid(var found)) {
            return new BsonObjectId(new ObjectId(found.toBytes()));
        }
        if (id != null) {
            return Reply.decode(encoded, InsertedDocument::firstId);
        }
        ObjectId given = otherwise.get();
        out.truncateToPosition(out.getPosition() - 1);
        out.writeByte(BsonType.OBJECT_ID.getValue());
        out.writeCString("_id");
        out.writeObjectId(given);
        out.writeByte(0);
        out.writeInt32(start, out.getPosition() - start);
        return new BsonObjectId(given);
    }

    private static BsonValue firstId(BsonReader reader, DecoderContext context) {
        reader.readStartDocument();
        reader.readBsonType();
        while (!reader.readName().equals("_id")) {
            reader.skipValue();
            reader.readBsonType();
        }
        return VALUE.decode(reader, context);
    }
}
