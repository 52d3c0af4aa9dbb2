package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;

final class JsonFuzzTest {
    /** Any text is a document, which is read the same again once written, or has its error found. */
    @FuzzTest
    void anyTextIsADocumentOrAnError(byte[] utf8) {
        RawDocument document;
        try {
            document = Json.parse(new String(utf8, StandardCharsets.UTF_8));
        } catch (JsonException e) {
            assertThat(e.line()).isPositive();
            assertThat(e.column()).isPositive();
            return;
        }
        assertThat(BsonValidation.check(document.array(), document.offset(), document.length()))
                .isEqualTo(document);
        String canonical = Json.canonical(document);
        assertThat(Json.canonical(Json.parse(canonical))).isEqualTo(canonical);
    }

    /** A file of any bytes is read to its end, error by error. */
    @FuzzTest
    void anyFileIsReadToItsEnd(byte[] utf8) throws IOException {
        JsonDocuments documents = JsonDocuments.of(new StringReader(new String(utf8, StandardCharsets.UTF_8)));
        int steps = 0;
        boolean more = true;
        while (more) {
            assertThat(steps++).isLessThanOrEqualTo(2 * utf8.length + 2);
            try {
                more = documents.next() != null;
            } catch (JsonException e) {
                more = documents.resume();
            }
        }
    }
}
