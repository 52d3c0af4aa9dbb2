package dev.semel.server.catalog;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key of a text index: {@code {a: 1, title: "text", body: "text", b: 1}} is stored as
 * {@code {a: 1, _fts: "text", _ftsx: 1, b: 1}}, because its entries have the terms of all the fields together, each with a
 * score. The fields go into the weights.
 */
final class TextPattern {
    static final String TERM = "_fts";
    static final String SCORE = "_ftsx";

    private TextPattern() {}

    /** Whether it is one that is stored. */
    static boolean isComplete(RawDocument key) {
        return isText(key.get(TERM));
    }

    private static boolean isText(@Nullable Value value) {
        return value instanceof Value.Str(Text name) && IndexKind.TEXT.isNamed(name.toString());
    }

    /** The fields with texts that a client names in a key. */
    static List<String> fields(RawDocument key) {
        List<String> fields = new ArrayList<>();
        for (Element each : key) {
            if (isText(each.value()) && !each.name().equals(TERM)) {
                fields.add(each.name());
            }
        }
        return fields;
    }

    /** How many fields a client has named; in a key that is stored already, those with texts count as one. */
    static int given(RawDocument key) {
        return isComplete(key) ? key.size() - 1 : key.size();
    }

    /** The key as it is stored. */
    static RawDocument complete(RawDocument key) {
        BsonWriter out = new BsonWriter();
        boolean inText = false;
        boolean afterText = false;
        for (Element each : key) {
            if (each.name().equals(TERM) || each.name().equals(SCORE)) {
                throw refused("text index with reserved fields _fts/_ftsx not allowed");
            }
            if (isText(each.value())) {
                if (afterText) {
                    throw refused("'text' fields in index must all be adjacent");
                }
                if (!inText) {
                    out.put(TERM, IndexKind.TEXT.toString()).put(SCORE, 1);
                }
                inText = true;
                continue;
            }
            requireDirection(each.value());
            afterText = inText;
            out.put(each.name(), each.value());
        }
        return out.finish();
    }

    /** What of a stored key could not have been stored. */
    static void check(RawDocument key) {
        String before = "";
        for (Element each : key) {
            boolean isScore = each.name().equals(SCORE);
            if (isScore != before.equals(TERM)) {
                throw refused(
                        isScore
                                ? "text index with reserved fields _fts/_ftsx not allowed"
                                : "expected _ftsx after _fts");
            }
            if (isScore && !isOne(each.value())) {
                throw refused("expecting _ftsx:1");
            }
            if (!each.name().equals(TERM)) {
                requireDirection(each.value());
            }
            before = each.name();
        }
        if (before.equals(TERM)) {
            throw refused("expected _ftsx after _fts");
        }
    }

    private static void requireDirection(Value value) {
        boolean isDirection = Numbers.isNumber(value) && Math.abs((int) Numbers.doubleOf(value)) == 1;
        if (!isDirection) {
            throw refused("expected value 1 or -1 for non-text key in compound index");
        }
    }

    private static boolean isOne(Value value) {
        return Numbers.isNumber(value) && (int) Numbers.doubleOf(value) == 1;
    }

    private static CommandException refused(String why) {
        return new CommandException(ErrorCode.CannotCreateIndex, "%s", why);
    }
}
