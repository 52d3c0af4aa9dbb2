package dev.semel.driver.operation;

import java.util.List;
import java.util.Map;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Writes the fields of a command; a value that is null is left out. */
public final class Fields {
    private static final EncoderContext CONTEXT = EncoderContext.builder().build();
    private static final BsonDocumentCodec DOCUMENT = new BsonDocumentCodec();
    private static final BsonValueCodec VALUE = new BsonValueCodec();

    private final BsonBinaryWriter writer;
    private final CodecRegistry codecs;

    public Fields(BsonBinaryWriter writer, CodecRegistry codecs) {
        this.writer = writer;
        this.codecs = codecs;
    }

    public BsonBinaryWriter writer() {
        return writer;
    }

    public CodecRegistry codecs() {
        return codecs;
    }

    public Fields put(String name, @Nullable String value) {
        if (value != null) {
            writer.writeString(name, value);
        }
        return this;
    }

    public Fields put(String name, @Nullable Boolean value) {
        if (value != null) {
            writer.writeBoolean(name, value);
        }
        return this;
    }

    public Fields put(String name, @Nullable Integer value) {
        if (value != null) {
            writer.writeInt32(name, value);
        }
        return this;
    }

    public Fields put(String name, @Nullable Long value) {
        if (value != null) {
            writer.writeInt64(name, value);
        }
        return this;
    }

    public Fields put(String name, @Nullable Double value) {
        if (value != null) {
            writer.writeDouble(name, value);
        }
        return this;
    }

    public Fields put(String name, @Nullable BsonValue value) {
        if (value != null) {
            writer.writeName(name);
            VALUE.encode(writer, value, CONTEXT);
        }
        return this;
    }

    public Fields putUnlessZero(String name, int value) {
        return value == 0 ? this : put(name, value);
    }

    public Fields putUnlessZero(String name, long value) {
        return value == 0 ? this : put(name, value);
    }

    /** A flag that is only sent when it is set. */
    public Fields putIfTrue(String name, boolean value) {
        if (value) {
            writer.writeBoolean(name, true);
        }
        return this;
    }

    public Fields putBson(String name, @Nullable Bson value) {
        if (value != null) {
            writer.writeName(name);
            document(writer, value, codecs);
        }
        return this;
    }

    /** An element of the array that is open. */
    public void element(Bson value) {
        document(writer, value, codecs);
    }

    public Fields putBsons(String name, @Nullable List<? extends Bson> values) {
        if (values != null) {
            writer.writeStartArray(name);
            values.forEach(each -> document(writer, each, codecs));
            writer.writeEndArray();
        }
        return this;
    }

    /** The hint as a document, or else by the name of the index. */
    public Fields putHint(@Nullable Bson hint, @Nullable String name) {
        return hint == null ? put("hint", name) : putBson("hint", hint);
    }

    /** The name of the first field, or an empty string. */
    static String firstName(Bson value, CodecRegistry codecs) {
        Map<String, ?> fields = switch (value) {
            case Document document -> document;
            case BsonDocument document -> document;
            default -> value.toBsonDocument(Document.class, codecs);
        };
        return fields.isEmpty() ? "" : fields.keySet().iterator().next();
    }

    /** Encoded straight where the kind of document is a usual one. */
    static void document(BsonBinaryWriter writer, Bson value, CodecRegistry codecs) {
        switch (value) {
            case Document document -> {
                Codec<Document> codec = codecs.get(Document.class);
                codec.encode(writer, document, CONTEXT);
            }
            case BsonDocument document -> DOCUMENT.encode(writer, document, CONTEXT);
            default -> DOCUMENT.encode(writer, value.toBsonDocument(Document.class, codecs), CONTEXT);
        }
    }
}
