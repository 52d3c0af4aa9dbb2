package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class BsonWriterTest {
    @Test
    void bytesAreThoseOfTheSpecification() {
        RawDocument document = new BsonWriter().put("hello", "world").finish();
        assertThat(HexFormat.of().formatHex(document.toBytes()))
                .isEqualTo("160000000268656c6c6f0006000000776f726c640000");
    }

    @Test
    void emptyDocumentIsFiveBytes() {
        assertThat(new BsonWriter(0).finish()).isEqualTo(RawDocument.EMPTY);
    }

    @Test
    void everyKindOfValueIsWritten() {
        RawDocument document = new BsonWriter()
                .put("int", 1)
                .put("long", 2L)
                .put("double", 0.5)
                .put("bool", true)
                .put("string", "é")
                .put("document", RawDocument.EMPTY)
                .put("value", Value.MAX_KEY)
                .put(Text.of("text"), Value.FALSE)
                .putNull("null")
                .startDocument("d")
                .put("x", 1)
                .end()
                .startArray("a")
                .add("s")
                .add(RawDocument.EMPTY)
                .add(Value.NULL)
                .startArray()
                .end()
                .startDocument()
                .end()
                .end()
                .startDocument(Text.of("td"))
                .end()
                .startArray(Text.of("ta"))
                .end()
                .finish();
        assertThat(document)
                .hasToString("{\"int\": 1, \"long\": 2, \"double\": 0.5, \"bool\": true, \"string\": \"é\","
                        + " \"document\": {}, \"value\": {\"$maxKey\": 1}, \"text\": false, \"null\": null,"
                        + " \"d\": {\"x\": 1}, \"a\": [\"s\", {}, null, [], {}], \"td\": {}, \"ta\": []}");
        assertThat(BsonValidation.check(document.array(), 0, document.length())).isEqualTo(document);
    }

    @Test
    void indexesOfAnArrayAreCounted() {
        BsonWriter out = new BsonWriter();
        for (int i = 0; i < 1_234; i++) {
            out.add(Value.of(i));
        }
        int expected = 0;
        for (Element each : out.finishArray().elements()) {
            assertThat(each).isEqualTo(new Element(Integer.toString(expected), Value.of(expected)));
            expected++;
        }
        assertThat(expected).isEqualTo(1_234);
    }

    @Test
    void indexesOfNestedArraysAreCountedApart() {
        RawDocument document = new BsonWriter()
                .startArray("a")
                .add("x")
                .startArray()
                .add("y")
                .add("z")
                .end()
                .add("w")
                .end()
                .finish();
        assertThat(document).isEqualTo(Json.parse("{\"a\": [\"x\", [\"y\", \"z\"], \"w\"]}"));
    }

    @Test
    void unfinishedDocumentIsAMistake() {
        BsonWriter out = new BsonWriter().startDocument("a");
        assertThatThrownBy(out::finish).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nullInANameIsRefused() {
        assertThatThrownBy(() -> new BsonWriter().put("a\0b", 1)).isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> new BsonWriter().put(Text.of("a\0b"), Value.NULL))
                .isInstanceOf(CommandException.class);
        assertThatThrownBy(() -> new BsonWriter().put("r", new Value.Regex("a\0", "")))
                .isInstanceOf(CommandException.class);
    }

    @Test
    void nullInAStringIsKept() {
        assertThat(new BsonWriter().put("a", "x\0y").finish().get("a")).isEqualTo(Value.of("x\0y"));
    }

    @Test
    void whatIsWrittenPassesValidation() {
        Seeds.check(300, random -> {
            RawDocument document = Documents.of(random).document(6);
            assertThat(BsonValidation.check(document.array(), document.offset(), document.length()))
                    .isEqualTo(document);
        });
    }

    @Test
    void documentThatOutgrowsEveryMessageIsRefused() {
        BsonWriter out = new BsonWriter();
        Value chunk = new Value.Binary((byte) 0, new byte[1 << 20]);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 64; i++) {
                        out.add(chunk);
                    }
                })
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.location(13548)));
        assertThat(out.length()).isLessThanOrEqualTo(64 << 20);
    }

    @Test
    void lengthIsWhatHasBeenWritten() {
        BsonWriter out = new BsonWriter(1_000_000).put("a", 1);
        int before = out.length();
        RawDocument document = out.finish();
        assertThat(document.length()).isEqualTo(before + 1);
    }

    /** So that it can be stored without another copy. */
    @Test
    void arrayHasTheLengthThatWasExpected() {
        for (int capacity : new int[] {16, 20, 27, 64}) {
            BsonWriter writer = new BsonWriter(capacity).put("a", 1).startDocument("b");
            RawDocument document = writer.expecting(7 + 1 + 1).put("c", 2).end().finish();
            assertThat(document).isEqualTo(Json.parse("{\"a\": 1, \"b\": {\"c\": 2}}"));
            assertThat(document.array()).hasSize(document.length());
        }
        RawDocument longer = new BsonWriter(16).expecting(1).put("a", 1).finish();
        assertThat(longer).isEqualTo(Json.parse("{\"a\": 1}"));
    }
}
