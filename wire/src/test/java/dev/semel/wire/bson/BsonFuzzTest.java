package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.wire.CommandException;

final class BsonFuzzTest {
    /** What validation lets pass can be decoded to the last byte, and is written again as it was. */
    @FuzzTest
    void anyBytesAreRefusedOrCanBeWalked(byte[] bytes) {
        RawDocument document;
        try {
            document = BsonValidation.check(bytes, 0, bytes.length);
        } catch (CommandException e) {
            assertThat(e.text()).isNotEmpty();
            return;
        }
        assertThat(copy(document).length()).isEqualTo(document.length());
        assertThat(new BsonWriter().copyAll(document).finish()).isEqualTo(document);
        assertThat(Shell.text(document)).isNotEmpty();
        assertThat(Json.relaxed(document)).isNotEmpty();
    }

    private static RawDocument copy(RawDocument document) {
        BsonWriter out = new BsonWriter();
        for (var at = document.cursor(); at.next(); ) {
            switch (at.value()) {
                case Value.Doc(RawDocument inner) -> out.put(at.nameText(), Value.of(copy(inner)));
                case Value.Array(RawDocument inner) -> out.put(at.nameText(), new Value.Array(copy(inner)));
                // A regular expression is decoded to characters, which bytes that are no UTF-8 do not survive.
                case Value.Regex ignored -> out.copy(at);
                case Value other -> out.put(at.nameText(), other);
            }
        }
        return out.finish();
    }
}
