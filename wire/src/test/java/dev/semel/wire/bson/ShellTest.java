package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShellTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        1                                            | 1
        {"$numberLong": "1"}                         | 1
        1.0                                          | 1.0
        -0.0                                         | -0.0
        0.1                                          | 0.1
        0.30000000000000004                          | 0.3
        123456789012345.0                            | 123456789012345.0
        1e15                                         | 1000000000000000.0
        1e16                                         | 1e+16.0
        1.5e300                                      | 1.5e+300
        0.0001                                       | 0.0001
        0.00001                                      | 1e-05.0
        0.000025                                     | 2.5e-05
        {"$numberDouble": "NaN"}                     | nan.0
        {"$numberDouble": "-Infinity"}               | -inf.0
        "x"                                          | "x"
        {}                                           | {}
        []                                           | []
        {"a": 1, "b": [1, "x"]}                      | { a: 1, b: [ 1, "x" ] }
        null                                         | null
        true                                         | true
        {"$oid": "0102030405060708090a0b0c"}         | ObjectId('0102030405060708090a0b0c')
        {"$date": 5}                                 | new Date(5)
        {"$timestamp": {"t": 4294967295, "i": 1}}    | Timestamp(4294967295, 1)
        {"$regularExpression": {"pattern": "^a", "options": "i"}} | /^a/i
        {"$binary": {"base64": "q80=", "subType": "00"}} | BinData(0, ABCD)
        {"$uuid": "00112233-4455-6677-8899-aabbccddeeff"} | UUID("00112233-4455-6677-8899-aabbccddeeff")
        {"$numberDecimal": "1.50"}                   | 1.50
        {"$minKey": 1}                               | MinKey
        {"$maxKey": 1}                               | MaxKey
        {"$undefined": true}                         | undefined
        {"$code": "f()"}                             | f()
        {"$symbol": "s"}                             | "s"
        {"$dbPointer": {"$ref": "n", "$id": {"$oid": "0102030405060708090a0b0c"}}} | DBRef('n',0102030405060708090a0b0c)
        """)
    void valuePrintsAsInMongoDbsMessages(String json, String expected) {
        assertThat(Shell.text(Json.parseValue(json))).isEqualTo(expected);
    }

    @Test
    void documentPrintsAsItsValueDoes() {
        RawDocument document = Json.parse("{\"a\": {\"b\": \"c\\\"d\"}}");
        assertThat(Shell.text(document))
                .isEqualTo("{ a: { b: \"c\\\"d\" } }")
                .isEqualTo(Shell.text(Value.of(document)));
    }

    /** It may be of fifteen megabytes, and a message name it several times. */
    @Test
    void whatIsVeryLongIsCutInMessages() {
        String text = "s".repeat(100_000);
        String shown = Shell.text(Value.of(text));
        assertThat(shown).hasSizeBetween(16_000, 17_000).endsWith("s...\"");
        RawDocument document = new BsonWriter()
                .put("a", text)
                .put(text, new Value.Binary((byte) 0, new byte[100_000]))
                .put("z", 1)
                .finish();
        assertThat(Shell.text(document)).hasSizeBetween(16_000, 17_000).endsWith("s...\", ... }");
        assertThat(Shell.text(new Value.Binary((byte) 0, new byte[100_000]))).hasSizeBetween(16_000, 17_000);
        assertThat(Shell.text(new Value.Code(Text.of(text)))).hasSizeBetween(16_000, 17_000);
        assertThat(Shell.whole(Value.of(text))).isEqualTo('"' + text + '"');
    }
}
