package dev.semel.driver.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.wire.bson.RawDocument;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonReader;
import org.bson.BsonSerializationException;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.DocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.RawBsonDocumentCodec;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;

/** One reader decodes many documents as a separate reader for each would. */
class DocumentReaderTest {
    private static final BsonDocument EVERY_TYPE = BsonDocument.parse("""
        {"double": 1.5, "string": "Zürich", "document": {"a": {"b": 1}}, "array": [1, [2, {"c": 3}]],
         "binary": {"$binary": {"base64": "AQID", "subType": "05"}}, "oid": {"$oid": "507f1f77bcf86cd799439011"},
         "bool": true, "date": {"$date": {"$numberLong": "1"}}, "null": null,
         "regex": {"$regularExpression": {"pattern": "a.c", "options": "i"}}, "code": {"$code": "x"},
         "scoped": {"$code": "y", "$scope": {"z": 1}}, "int": 7, "timestamp": {"$timestamp": {"t": 5, "i": 6}},
         "long": {"$numberLong": "8"}, "decimal": {"$numberDecimal": "9.0"}, "min": {"$minKey": 1},
         "max": {"$maxKey": 1}, "öffnung": 1, "": 2}\
        """);

    @Test
    void documentsOfOneArrayComeOutAsTheyWentIn() {
        byte[] both = encoded(EVERY_TYPE, BsonDocument.parse("{string: 'second'}"));
        var reader = new DocumentReader<>(new BsonDocumentCodec(), new FieldNames());
        RawDocument first = RawDocument.view(both, 0);
        RawDocument second = RawDocument.view(both, first.length());

        assertThat(List.of(reader.read(first), reader.read(second), reader.read(first)))
                .containsExactly(EVERY_TYPE, BsonDocument.parse("{string: 'second'}"), EVERY_TYPE);
    }

    @Test
    void codecThatTakesTheBytesWholeGetsThem() {
        var reader = new DocumentReader<>(new RawBsonDocumentCodec(), new FieldNames());
        RawDocument document = RawDocument.of(encoded(EVERY_TYPE));

        assertThat(List.of(reader.read(document), reader.read(document)))
                .containsExactly(new RawBsonDocument(encoded(EVERY_TYPE)), new RawBsonDocument(encoded(EVERY_TYPE)));
    }

    @Test
    void documentBehindOneThatItsCodecRefusedIsRead() {
        var reader = new DocumentReader<>(new Picky(), new FieldNames());
        RawDocument bad = RawDocument.of(encoded(BsonDocument.parse("{a: 1, bad: {b: 1}}")));
        RawDocument good = RawDocument.of(encoded(BsonDocument.parse("{a: 2}")));

        assertThatThrownBy(() -> reader.read(bad)).hasMessage("bad");
        assertThat(reader.read(good)).isEqualTo("a");
    }

    @Test
    void documentBehindOneThatItsCodecLeftEarlyIsRead() {
        Decoder<Integer> early = (in, context) -> {
            in.readStartDocument();
            return in.readInt32("a");
        };
        var reader = new DocumentReader<>(early, new FieldNames());
        RawDocument document = RawDocument.of(encoded(BsonDocument.parse("{a: 1, b: 2}")));

        assertThat(List.of(reader.read(document), reader.read(document))).containsExactly(1, 1);
    }

    @Test
    void stringThatLeavesItsDocumentIsRefused() {
        byte[] bytes = encoded(new BsonDocument("a", new BsonString("xyz")), EVERY_TYPE);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(7, 400);

        assertThatThrownBy(() ->
                        new DocumentReader<>(new DocumentCodec(), new FieldNames()).read(RawDocument.view(bytes, 0)))
                .isInstanceOf(BsonSerializationException.class)
                .hasMessage("A value of 400 bytes begins 5 bytes before the document ends");
    }

    @Test
    void nameIsMadeOnce() {
        var names = new FieldNames();
        var reader = new DocumentReader<>(new DocumentCodec(), names);
        RawDocument document = RawDocument.of(encoded(BsonDocument.parse("{name: 1}")));
        Document first = reader.read(document);
        Document second = new DocumentReader<>(new DocumentCodec(), names).read(document);

        assertThat(first.keySet().iterator().next())
                .isSameAs(second.keySet().iterator().next());
    }

    /** Java gives both the same hash. */
    @Test
    void namesOfOneSlotAreDistinguished() {
        var names = new FieldNames();
        for (String each : List.of("Aa", "BB", "Aa", "\u00e9", "\u00e9\u00e9", "x".repeat(100))) {
            byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
            assertThat(names.name(bytes, 0, bytes.length)).isEqualTo(each);
        }
    }

    private static byte[] encoded(BsonDocument... documents) {
        var out = new BasicOutputBuffer();
        for (BsonDocument each : documents) {
            new BsonDocumentCodec()
                    .encode(
                            new BsonBinaryWriter(out),
                            each,
                            EncoderContext.builder().build());
        }
        return Arrays.copyOf(out.getInternalBuffer(), out.getPosition());
    }

    /** Says the name of the first field, unless a field is bad. */
    private static final class Picky implements Decoder<String> {
        @Override
        public String decode(BsonReader in, DecoderContext context) {
            in.readStartDocument();
            String first = in.readName();
            in.skipValue();
            while (in.readBsonType() != BsonType.END_OF_DOCUMENT) {
                if (in.readName().equals("bad")) {
                    in.readStartDocument();
                    throw new IllegalArgumentException("bad");
                }
                in.skipValue();
            }
            in.readEndDocument();
            return first;
        }
    }
}
