package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.wire.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The drivers' published BSON corpus. The environment variable SPEC_TESTS names the folder that holds it. */
final class BsonCorpusTest {
    private static final @Nullable String FOLDER = System.getenv("SPEC_TESTS");

    /** What the corpus demands of drivers and MongoDB's server does otherwise, with the reason. */
    private static final Map<String, String> NOT_DEMANDED_OF_A_SERVER = Map.of(
            "invalid UTF-8", "a server stores the bytes it is given",
            "String with bad UTF-8", "a server stores the bytes it is given",
            "Bad $date (number, not string or hash)", "the older format's dates are bare numbers, and we read both");

    @Test
    void corpusIsPresent() {
        if (FOLDER == null && System.getenv("CI") == null) {
            abort("SPEC_TESTS is not set: the BSON corpus was NOT run");
        }
        assertThat(FOLDER)
                .as("continuous integration runs the BSON corpus: SPEC_TESTS names the folder that holds it")
                .isNotNull();
        assertThat(Path.of(String.valueOf(FOLDER), "bson-corpus")).isDirectory();
    }

    @TestFactory
    List<DynamicNode> corpus() throws IOException {
        if (FOLDER == null) {
            return List.of();
        }
        List<DynamicNode> result = new ArrayList<>();
        try (var files = Files.newDirectoryStream(Path.of(FOLDER, "bson-corpus"), "*.json")) {
            for (Path file : files) {
                RawDocument corpus = Json.parse(Files.readString(file));
                List<DynamicTest> cases = new ArrayList<>();
                for (RawDocument each : documents(corpus, "valid")) {
                    cases.add(dynamicTest(name("valid", each), () -> valid(each)));
                }
                for (RawDocument each : documents(corpus, "decodeErrors")) {
                    cases.add(dynamicTest(name("decode error", each), () -> decodeError(each)));
                }
                for (RawDocument each : documents(corpus, "parseErrors")) {
                    String bsonType = string(corpus, "bson_type");
                    cases.add(dynamicTest(name("parse error", each), () -> parseError(each, bsonType)));
                }
                result.add(dynamicContainer(String.valueOf(file.getFileName()), cases));
            }
        }
        return result;
    }

    private static void valid(RawDocument test) {
        RawDocument canonical = decoded(string(test, "canonical_bson"));
        String json = string(test, "canonical_extjson");
        assertThat(compact(Json.canonical(canonical))).isEqualTo(compact(json));
        assertThat(written(canonical)).isEqualTo(canonical);
        if (!test.has("lossy")) {
            assertThat(Json.parse(json)).isEqualTo(canonical);
        }
        if (test.has("degenerate_bson")) {
            RawDocument degenerate = decoded(string(test, "degenerate_bson"));
            // What BSON lets pass, such as array indexes that lie or unsorted options, ends when it is read as JSON.
            assertThat(Json.parse(Json.canonical(degenerate))).isEqualTo(canonical);
        }
        if (test.has("degenerate_extjson")) {
            RawDocument parsed = Json.parse(string(test, "degenerate_extjson"));
            assertThat(compact(Json.canonical(parsed))).isEqualTo(compact(json));
        }
        if (test.has("relaxed_extjson")) {
            String relaxed = string(test, "relaxed_extjson");
            assertThat(compact(Json.relaxed(canonical))).isEqualTo(compact(relaxed));
            assertThat(compact(Json.relaxed(Json.parse(relaxed)))).isEqualTo(compact(relaxed));
        }
        if (test.has("converted_bson")) {
            RawDocument converted = decoded(string(test, "converted_bson"));
            assertThat(Json.parse(string(test, "converted_extjson"))).isEqualTo(converted);
        }
    }

    private static void decodeError(RawDocument test) {
        byte[] bytes = HexFormat.of().parseHex(string(test, "bson"));
        if (NOT_DEMANDED_OF_A_SERVER.containsKey(string(test, "description"))) {
            assertThat(BsonValidation.check(bytes, 0, bytes.length).length()).isEqualTo(bytes.length);
            return;
        }
        assertThatThrownBy(() -> {
                    RawDocument document = BsonValidation.check(bytes, 0, bytes.length);
                    // A document may end before its message does; here there is no message around it.
                    if (document.length() != bytes.length) {
                        throw BsonValidation.invalid("bytes after the document");
                    }
                })
                .isInstanceOf(CommandException.class);
    }

    private static void parseError(RawDocument test, String bsonType) {
        String text = string(test, "string");
        if (bsonType.equals("0x13")) {
            String quoted = Json.relaxed(Value.of(text));
            assertThatThrownBy(() -> Decimal128.parse(text)).isInstanceOf(NumberFormatException.class);
            assertThatThrownBy(() -> Json.parse("{\"d\": {\"$numberDecimal\": " + quoted + "}}"))
                    .isInstanceOf(JsonException.class);
        } else if (NOT_DEMANDED_OF_A_SERVER.containsKey(string(test, "description"))) {
            assertThat(Json.parse(text).isEmpty()).isFalse();
        } else {
            assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(JsonException.class);
        }
    }

    private static RawDocument decoded(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        RawDocument document = BsonValidation.check(bytes, 0, bytes.length);
        assertThat(document.length()).isEqualTo(bytes.length);
        return document;
    }

    /** Decoded value by value and encoded again. */
    private static RawDocument written(RawDocument document) {
        BsonWriter out = new BsonWriter();
        for (Element each : document) {
            out.put(each.name(), each.value());
        }
        return out.finish();
    }

    /** Without white space outside strings and without escapes of what needs none; both may differ. */
    private static String compact(String json) {
        StringBuilder out = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (quoted && c == '\\') {
                char escaped = json.charAt(++i);
                int code = escaped == 'u' ? HexFormat.fromHexDigits(json, i + 1, i + 5) : 0;
                if (code >= 0x80) {
                    out.append((char) code);
                    i += 4;
                } else {
                    out.append(c).append(escaped);
                }
                continue;
            }
            quoted ^= c == '"';
            if (quoted || !Character.isWhitespace(c)) {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static List<RawDocument> documents(RawDocument corpus, String name) {
        List<RawDocument> result = new ArrayList<>();
        if (corpus.get(name) instanceof Value.Array(RawDocument elements)) {
            for (Element each : elements) {
                if (each.value() instanceof Value.Doc(RawDocument document)) {
                    result.add(document);
                }
            }
        }
        return result;
    }

    private static String name(String kind, RawDocument test) {
        return kind + ": " + string(test, "description");
    }

    private static String string(RawDocument document, String name) {
        if (document.get(name) instanceof Value.Str(Text text)) {
            return text.toString();
        }
        throw new AssertionError("no string '" + name + "' in " + document);
    }
}
