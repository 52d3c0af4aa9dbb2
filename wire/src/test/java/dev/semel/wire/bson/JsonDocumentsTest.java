package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonDocumentsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": 1}\n{\"a\": 2}\n",
                "{\"a\": 1}{\"a\": 2}",
                "\n\n{\"a\": 1}  {\n\"a\": 2}\r\n\r\n",
                "[{\"a\": 1}, {\"a\": 2}]",
                " [\n{\"a\": 1}\n,\n{\"a\": 2}\n]\n"
            })
    void documentsComeFromLinesAndFromArrays(String text) throws IOException {
        assertThat(all(JsonDocuments.of(new StringReader(text)))).containsExactly("{\"a\": 1}", "{\"a\": 2}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n ", "[]", " [ ] "})
    void emptyTextHoldsNoDocuments(String text) throws IOException {
        assertThat(all(JsonDocuments.of(new StringReader(text)))).isEmpty();
    }

    @Test
    void documentsComeFromAFieldOfOneObject() throws IOException {
        String text = "{\"about\": {\"x\": [1, \"}\"]}, \"3166-1\": [{\"a\": 1}, {\"a\": 2}], \"after\": [[{}]]}";
        assertThat(all(JsonDocuments.ofField(new StringReader(text), "3166-1")))
                .containsExactly("{\"a\": 1}", "{\"a\": 2}");
    }

    @Test
    void missingFieldIsNamed() {
        assertThatThrownBy(() -> all(JsonDocuments.ofField(new StringReader("{\"a\": [1]}"), "b")))
                .isInstanceOf(JsonException.class)
                .hasMessageEndingWith("there is no field 'b' in the object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{}", "[{},]", "[{}] x", "[{}]]", "[1]", "1", "{} 1", "{\"b\": []", "{\"b\": {}}"})
    void malformedSurroundingsAreRefused(String text) {
        assertThatThrownBy(() -> all(JsonDocuments.of(new StringReader(text + ", "))))
                .isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> all(JsonDocuments.ofField(new StringReader(text), "b")))
                .isInstanceOf(JsonException.class);
    }

    @Test
    void lineIsWhereTheDocumentBegins() throws IOException {
        var documents = JsonDocuments.of(new StringReader("{\"a\": 1}\n\n{\"a\":\n2}\n{}"));
        List<Long> lines = new ArrayList<>();
        while (documents.next() != null) {
            lines.add(documents.line());
        }
        assertThat(lines).containsExactly(1L, 3L, 5L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\": oops} more\n",
                "{\"a\": \"unfinished\n",
                "{\"a\": 1, \n",
                "{\"a\": [1\n",
                "{\"a\"\n",
                "{\n",
                "garbage\n",
                "{\"a\": {\"$oid\": \"too short\"}}\n",
                "]\n"
            })
    void brokenLineCostsOnlyItself(String broken) throws IOException {
        var documents = JsonDocuments.of(new StringReader("{\"a\": 1}\n" + broken + "{\"a\": 2}\n{\"a\": 3}\n"));
        assertThat(documents.next()).hasToString("{\"a\": 1}");
        assertThatThrownBy(documents::next).isInstanceOf(JsonException.class);
        assertThat(documents.line()).isEqualTo(2);
        assertThat(documents.resume()).isTrue();
        assertThat(documents.next()).hasToString("{\"a\": 2}");
        assertThat(documents.next()).hasToString("{\"a\": 3}");
        assertThat(documents.next()).isNull();
    }

    @Test
    void brokenArrayIsNotTakenUpAgain() throws IOException {
        var documents = JsonDocuments.of(new StringReader("[{\"a\": oops},\n{\"a\": 2}]"));
        assertThatThrownBy(documents::next).isInstanceOf(JsonException.class);
        assertThat(documents.resume()).isFalse();
        assertThat(documents.next()).isNull();
    }

    @Test
    void documentLargerThanMayBeStoredIsRefused() {
        assertThatThrownBy(
                        () -> JsonDocuments.of(new Endless("{\"a\": \"", "x")).next())
                .isInstanceOf(JsonException.class)
                .hasMessageEndingWith("a string of more than 16777216 characters");
        assertThatThrownBy(() ->
                        JsonDocuments.of(new Endless("{\"a\": [", "true,")).next())
                .isInstanceOf(JsonException.class)
                .hasMessageEndingWith("a document of more than 16777216 bytes");
    }

    @Test
    void everyWayToLayOutTheSameDocumentsReadsTheSame() {
        Seeds.check(50, random -> {
            List<String> documents = new ArrayList<>();
            for (int count = random.nextInt(20); count > 0; count--) {
                documents.add(Json.canonical(Documents.of(random).document()));
            }
            String lines = String.join("\n", documents);
            String array = "[" + String.join(", ", documents) + "]";
            assertThat(canonical(JsonDocuments.of(new StringReader(lines)))).isEqualTo(documents);
            assertThat(canonical(JsonDocuments.of(new StringReader(array)))).isEqualTo(documents);
            assertThat(canonical(JsonDocuments.ofField(new StringReader("{\"f\": " + array + "}"), "f")))
                    .isEqualTo(documents);
        });
    }

    private static List<String> all(JsonDocuments documents) throws IOException {
        List<String> result = new ArrayList<>();
        for (RawDocument each = documents.next(); each != null; each = documents.next()) {
            result.add(each.toString());
        }
        return result;
    }

    private static List<String> canonical(JsonDocuments documents) throws IOException {
        List<String> result = new ArrayList<>();
        for (RawDocument each = documents.next(); each != null; each = documents.next()) {
            result.add(Json.canonical(each));
        }
        return result;
    }

    /** A text that begins somehow and then repeats itself for ever. */
    private static final class Endless extends Reader {
        private final String start;
        private final String repeated;
        private int at;

        Endless(String start, String repeated) {
            this.start = start;
            this.repeated = repeated;
        }

        @Override
        public int read(char[] target, int offset, int length) {
            for (int i = 0; i < length; i++) {
                target[offset + i] = at < start.length()
                        ? start.charAt(at)
                        : repeated.charAt((at - start.length()) % repeated.length());
                at++;
            }
            return length;
        }

        @Override
        public void close() {}
    }
}
