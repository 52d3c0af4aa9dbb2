package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
    @Test
    void canonicalFormIsReadAsWhatWasWritten() {
        Seeds.check(300, random -> {
            RawDocument document = Documents.of(random).document(4);
            assertThat(Json.parse(Json.canonical(document))).isEqualTo(document);
        });
    }

    @Test
    void relaxedFormIsReadAndWrittenTheSameAgain() {
        Seeds.check(300, random -> {
            String relaxed = Json.relaxed(Documents.of(random).document(4));
            assertThat(Json.relaxed(Json.parse(relaxed))).isEqualTo(relaxed);
        });
    }

    @Test
    void documentPrintsItselfAsRelaxedJson() {
        RawDocument document = new BsonWriter()
                .put("n", 1)
                .put("s", "é\n\"")
                .startArray("a")
                .add(Value.of(1.5))
                .add(Value.NULL)
                .end()
                .put("e", RawDocument.EMPTY)
                .finish();
        assertThat(document).hasToString("{\"n\": 1, \"s\": \"é\\n\\\"\", \"a\": [1.5, null], \"e\": {}}");
    }

    @Test
    void documentIsWrittenToAnyAppendable() throws IOException {
        StringBuilder out = new StringBuilder("> ");
        Json.write(out, Json.parse("{\"a\": 1}"), JsonStyle.CANONICAL);
        assertThat(out).hasToString("> {\"a\": {\"$numberInt\": \"1\"}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0                     | int
        -0                    | int
        2147483647            | int
        2147483648            | long
        -2147483648           | int
        9223372036854775807   | long
        9223372036854775808   | double
        -9223372036854775809  | double
        123456789012345678901 | double
        1.0                   | double
        1e2                   | double
        -1E-2                 | double
        """)
    void numberTakesTheNarrowestTypeThatHoldsIt(String number, String type) {
        assertThat(Json.parseValue(number).type()).hasToString(type);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"$date": "2012-12-24T12:15:30.501Z"}       | {"$date": "2012-12-24T12:15:30.501Z"}
        {"$date": "2012-12-24T13:15:30.5+01:00"}    | {"$date": "2012-12-24T12:15:30.500Z"}
        {"$date": "2012-12-24T07:15:30-0500"}       | {"$date": "2012-12-24T12:15:30Z"}
        {"$date": 1356351330501}                    | {"$date": "2012-12-24T12:15:30.501Z"}
        {"$date": {"$numberLong": "-1"}}            | {"$date": {"$numberLong": "-1"}}
        {"$date": "1969-12-31T23:59:59.999Z"}       | {"$date": {"$numberLong": "-1"}}
        {"$binary": "AQI=", "$type": "00"}          | {"$binary": {"base64": "AQI=", "subType": "00"}}
        {"$type": "80", "$binary": "AQI="}          | {"$binary": {"base64": "AQI=", "subType": "80"}}
        {"$binary": "AQI=", "$type": 5}             | {"$binary": {"base64": "AQI=", "subType": "05"}}
        {"$regex": "^a", "$options": "mi"}          | {"$regularExpression": {"pattern": "^a", "options": "im"}}
        {"$options": "", "$regex": "^a"}            | {"$regularExpression": {"pattern": "^a", "options": ""}}
        {"$regex": "^a"}                            | {"$regex": "^a"}
        {"$type": "string"}                         | {"$type": "string"}
        {"$undefined": true}                        | {"$undefined": true}
        {"$minKey": 1}                              | {"$minKey": 1}
        {"$scope": {}, "$code": "f"}                | {"$code": "f", "$scope": {}}
        {"$numberLong": "5"}                        | 5
        {"$numberDouble": "-.5"}                    | -0.5
        {"$gt": {"$oid": "0102030405060708090A0b0c"}} | {"$gt": {"$oid": "0102030405060708090a0b0c"}}
        {"a": 1, "$oid": 5}                         | {"a": 1, "$oid": 5}
        """)
    void everyFormOfAValueIsRead(String form, String relaxed) {
        assertThat(Json.relaxed(Json.parseValue(form))).isEqualTo(relaxed);
    }

    @Test
    void keysOfTheOutermostObjectAreNeverAType() {
        assertThat(Json.parse("{\"$numberInt\": \"1\"}").get("$numberInt")).isEqualTo(Value.of("1"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {                            | line 1, column 2: expected a key in double quotes, found the end
        {a: 1}                       | line 1, column 2: expected a key in double quotes, found 'a'
        {"a" 1}                      | line 1, column 6: expected ':', found '1'
        {"a": 1,}                    | line 1, column 9: expected a key in double quotes, found '}'
        {"a": [1 2]}                 | line 1, column 10: expected ',' or ']', found '2'
        {"a": 01}                    | line 1, column 8: expected ',' or '}', found '1'
        {"a": 1.}                    | line 1, column 9: expected a digit, found '}'
        {"a": .5}                    | line 1, column 7: expected a value, found '.'
        {"a": +5}                    | line 1, column 7: expected a value, found '+'
        {"a": NaN}                   | line 1, column 7: expected a value, found 'N'
        {"a": 1e999}                 | line 1, column 12: a number beyond the range of doubles
        {"a": tru}                   | line 1, column 10: expected true, found '}'
        {"a": 'b'}                   | line 1, column 7: expected a value, found '''
        {"a": "\\x"}                 | line 1, column 9: expected an escape: one of " \\ / b f n r t u, found 'x'
        {"a": "\\u12G4"}             | line 1, column 12: expected a hexadecimal digit, found 'G'
        {"a": "\\uD800"}             | line 1, column 15: half of a surrogate pair in the string
        {"a": 1} x                   | line 1, column 10: expected the end, found 'x'
        {"a": 1} {"b": 2}            | line 1, column 10: expected the end, found '{'
        [1]                          | line 1, column 1: expected '{', found '['
        {"a": {"$oid": "12"}}        | line 1, column 7: $oid must have 24 hexadecimal digits
        {"a": {"$date": "today"}}    | line 1, column 7: $date must have the form 2024-01-31T23:59:59.999Z, found 'today'
        {"a": {"$numberInt": "2147483648"}} | line 1, column 7: $numberInt is out of range: 2147483648
        {"a": {"$numberInt": "1", "b": 2}}  | line 1, column 7: $numberInt takes 1 field, found 2
        {"a": {"$numberDouble": "1d"}}      | line 1, column 7: $numberDouble must be a number, found '1d'
        {"a": {"$timestamp": {"t": -1, "i": 0}}} | line 1, column 7: $timestamp needs 't', a whole number from 0 to 4294967295
        """)
    void malformedTextIsRefusedWhereItGoesWrong(String text, String message) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(JsonException.class)
                .hasMessage(message);
    }

    @Test
    void errorNamesLineAndColumn() {
        assertThatThrownBy(() -> Json.parse("{\n  \"a\": 1,\r\n  b: 2\n}"))
                .isInstanceOfSatisfying(JsonException.class, e -> {
                    assertThat(e.line()).isEqualTo(3);
                    assertThat(e.column()).isEqualTo(3);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\tb", "a\0b"})
    void controlCharactersInsideStringsAreRefused(String content) {
        assertThatThrownBy(() -> Json.parse("{\"a\": \"" + content + "\"}")).isInstanceOf(JsonException.class);
    }

    @Test
    void escapesOfAllKindsAreRead() {
        assertThat(Json.parseValue("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\uD83D\\uDE00\\u0000\""))
                .isEqualTo(Value.of("\"\\/\b\f\n\r\tA\uD83D\uDE00\0"));
    }

    @Test
    void stringsLongerThanTheBufferAreRead() throws IOException {
        String longString = "0123456789".repeat(5_000);
        RawDocument document = Json.parse(new StringReader("{\"" + longString + "\": \"" + longString + "\"}"));
        assertThat(document.get(longString)).isEqualTo(Value.of(longString));
    }

    @Test
    void byteOrderMarkIsPassedOver() throws IOException {
        assertThat(Json.parse(new StringReader("\uFEFF{\"a\": 1}"))).isEqualTo(Json.parse("{\"a\": 1}"));
    }

    @Test
    void twoHundredLevelsAreReadAndNotOneMore() {
        assertThat(Json.parse(nested(200)).isEmpty()).isFalse();
        assertThatThrownBy(() -> Json.parse(nested(201)))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("200 levels");
        assertThatThrownBy(() -> Json.parse(nested(100_000))).isInstanceOf(JsonException.class);
    }

    @Test
    void valueOnTheLastLevelMayBeSpelledAsAnObject() {
        String deepest = "{\"$dbPointer\": {\"$ref\": \"a\", \"$id\": {\"$oid\": \"0102030405060708090a0b0c\"}}}";
        RawDocument document = Json.parse("{\"a\": ".repeat(200) + deepest + "}".repeat(200));
        assertThat(Json.parse(Json.canonical(document))).isEqualTo(document);
    }

    private static String nested(int levels) {
        return "{\"a\": ".repeat(levels - 1) + "{}" + "}".repeat(levels - 1);
    }
}
