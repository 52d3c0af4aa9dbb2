package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FieldsOnlyTest {
    private static RawDocument only(RawDocument of, String... names) {
        return new FieldsOnly(new LinkedHashSet<>(List.of(names))).of(of);
    }

    @Test
    void fieldsKeepTheOrderOfTheDocument() throws Exception {
        RawDocument document = Json.parse("{\"a\": 1, \"b\": {\"a\": 2}, \"c\": [3], \"ab\": \"x\"}");
        assertThat(only(document, "c", "a")).isEqualTo(Json.parse("{\"a\": 1, \"c\": [3]}"));
        assertThat(only(document, "ab")).isEqualTo(Json.parse("{\"ab\": \"x\"}"));
        assertThat(only(document, "z", "b")).isEqualTo(Json.parse("{\"b\": {\"a\": 2}}"));
        assertThat(only(document, "z")).isEqualTo(RawDocument.EMPTY);
        assertThat(new FieldsOnly(Set.of()).of(document)).isEqualTo(RawDocument.EMPTY);
    }

    @Test
    void eachDocumentIsLookedAtByItself() throws Exception {
        FieldsOnly fields = new FieldsOnly(Set.of("a"));
        assertThat(fields.of(Json.parse("{\"a\": 1}"))).isEqualTo(Json.parse("{\"a\": 1}"));
        assertThat(fields.of(Json.parse("{\"b\": 1}"))).isEqualTo(RawDocument.EMPTY);
        assertThat(fields.of(Json.parse("{\"b\": 1, \"a\": 2}"))).isEqualTo(Json.parse("{\"a\": 2}"));
    }

    @Test
    void theFirstOfSeveralWithOneNameIsKept() throws Exception {
        RawDocument inner = Json.parse("{\"a\": 1, \"a\": 2, \"b\": 3}");
        assertThat(only(inner, "a", "b")).isEqualTo(Json.parse("{\"a\": 1, \"b\": 3}"));
    }

    /** A document within an array that is longer, as that of a scan is. */
    @Test
    void whatIsAroundTheDocumentIsLeftAlone() throws Exception {
        RawDocument document = Json.parse("{\"a\": 1, \"b\": \"xyz\"}");
        byte[] around = new byte[document.length() + 20];
        Arrays.fill(around, (byte) 1);
        System.arraycopy(document.array(), document.offset(), around, 7, document.length());
        assertThat(only(RawDocument.view(around, 7), "b", "c")).isEqualTo(Json.parse("{\"b\": \"xyz\"}"));
    }
}
