package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

final class RawDocumentTest {
    @Test
    void fieldIsFoundByItsWholeNameOnly() {
        RawDocument document = new BsonWriter()
                .put("ab", 1)
                .put("a", 2)
                .put("", 3)
                .put("abc", 4)
                .finish();
        assertThat(document.get("a")).isEqualTo(Value.of(2));
        assertThat(document.get("abc")).isEqualTo(Value.of(4));
        assertThat(document.get("")).isEqualTo(Value.of(3));
        assertThat(document.get("b")).isNull();
        assertThat(document.get("abcd")).isNull();
    }

    @Test
    void firstOfRepeatedFieldsIsFound() {
        assertThat(new BsonWriter().put("a", 1).put("a", 2).finish().get("a")).isEqualTo(Value.of(1));
    }

    @Test
    void namesBeyondAsciiAreFoundAsStringAndAsBytes() {
        RawDocument document = Json.parse("{\"é\": 1, \"aé\": 2, \"名\": 3, \"\uD83D\uDE00\": 4}");
        List<String> names = List.of("é", "aé", "名", "\uD83D\uDE00");
        for (int i = 0; i < names.size(); i++) {
            assertThat(document.get(names.get(i))).isEqualTo(Value.of(i + 1));
            assertThat(document.get(names.get(i).getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(Value.of(i + 1));
        }
        assertThat(document.has("Ã")).isFalse();
    }

    @Test
    void nameWithANullInItIsNeverFound() {
        // "a", then an int32 whose bytes could be taken for the rest of the name.
        RawDocument document = new BsonWriter().put("a", 0x00414141).finish();
        assertThat(document.has("a\0AAA")).isFalse();
        assertThat(document.find("a\0AAA".getBytes(StandardCharsets.UTF_8))).isEqualTo(-1);
    }

    @Test
    void stringAndBytesFindTheSame() {
        Seeds.check(300, random -> {
            Documents documents = Documents.of(random);
            RawDocument document = documents.document();
            String name = documents.name();
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            Value expected = null;
            for (Element each : document) {
                if (each.name().equals(name)) {
                    expected = each.value();
                    break;
                }
            }
            assertThat(document.get(name)).isEqualTo(expected);
            assertThat(document.get(utf8)).isEqualTo(expected);
            assertThat(document.has(name)).isEqualTo(document.find(utf8) >= 0);
        });
    }

    @Test
    void viewInsideALargerArrayEqualsItsDetachedCopy() {
        RawDocument inner = Json.parse("{\"a\": [1, 2]}");
        RawDocument outer = new BsonWriter().put("d", inner).finish();
        RawDocument view =
                ((Value.Doc) Assertions.assertThat(outer.get("d")).isNotNull().actual()).document();
        assertThat(view.offset()).isPositive();
        assertThat(view).isEqualTo(inner).hasSameHashCodeAs(inner);
        assertThat(view.detached().array()).hasSize(view.length());
        assertThat(view.detached()).isEqualTo(view);
        assertThat(inner.detached().array()).hasSize(inner.length());
    }

    @Test
    void orderOfFieldsMakesADifference() {
        assertThat(Json.parse("{\"a\": 1, \"b\": 2}")).isNotEqualTo(Json.parse("{\"b\": 2, \"a\": 1}"));
    }

    @Test
    void elementsComeInOrderAndEnd() {
        var elements = Json.parse("{\"b\": 1, \"a\": null}").iterator();
        assertThat(elements.next()).isEqualTo(new Element("b", Value.of(1)));
        assertThat(elements.next()).isEqualTo(new Element("a", Value.NULL));
        assertThat(elements.hasNext()).isFalse();
        Assertions.assertThatThrownBy(elements::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void sizeCountsAndFirstIsTheFirst() {
        RawDocument document = Json.parse("{\"find\": \"c\", \"filter\": {}}");
        assertThat(document.size()).isEqualTo(2);
        assertThat(document.first()).isEqualTo(new Element("find", Value.of("c")));
        assertThat(RawDocument.EMPTY.size()).isZero();
        assertThat(RawDocument.EMPTY.first()).isNull();
        assertThat(RawDocument.EMPTY.isEmpty()).isTrue();
    }

    @Test
    void copyOfAllElementsIsTheDocument() {
        Seeds.check(200, random -> {
            RawDocument document = Documents.of(random).document();
            BsonWriter byElement = new BsonWriter();
            BsonWriter byValue = new BsonWriter();
            BsonWriter renamed = new BsonWriter();
            for (var at = document.cursor(); at.next(); ) {
                byElement.copy(at);
                byValue.put(at.nameText(), at.value());
                renamed.copy(at.name(), at);
            }
            assertThat(byElement.finish()).isEqualTo(document);
            assertThat(byValue.finish()).isEqualTo(document);
            assertThat(renamed.finish()).isEqualTo(document);
            assertThat(new BsonWriter().copyAll(document).finish()).isEqualTo(document);
        });
    }

    @Test
    void cursorOffsetsCoverTheDocumentWithoutGaps() {
        Seeds.check(200, random -> {
            RawDocument document = Documents.of(random).document();
            int expected = document.offset() + 4;
            for (var at = document.cursor(); at.next(); expected = at.valueEnd()) {
                assertThat(at.elementStart()).isEqualTo(expected);
                assertThat(at.valueEnd()).isGreaterThanOrEqualTo(at.valueStart());
                assertThat(at.type()).isEqualTo(at.value().type());
                assertThat(at.nameIs(at.name().getBytes(StandardCharsets.UTF_8)))
                        .isTrue();
                assertThat(at.nameIs(Arrays.copyOf(
                                at.nameText().toBytes(), at.nameText().length() + 1)))
                        .isFalse();
                assertThat(at.nameText()).hasToString(at.name());
            }
            assertThat(expected).isEqualTo(document.offset() + document.length() - 1);
        });
    }
}
