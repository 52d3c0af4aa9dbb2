package dev.semel.server.catalog;

import dev.semel.query.text.Language;
import dev.semel.query.text.TextSpec;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of text indexes. */
final class TextOptions {
    private static final String WEIGHTS = "weights";
    private static final String LANGUAGE = "default_language";
    private static final String OVERRIDE = "language_override";
    private static final String VERSION = "textIndexVersion";

    private static final int WEIGHT_END = 100_000;

    private TextOptions() {}

    /** All of them, with those that the client has left to us. */
    static RawDocument complete(RawDocument key, RawDocument given) {
        NavigableMap<String, Integer> weights = weights(key, given.get(WEIGHTS));
        BsonWriter out = new BsonWriter().startDocument(WEIGHTS);
        weights.forEach(out::put);
        int version = version(given.get(VERSION));
        return out.end()
                .put(LANGUAGE, language(given.get(LANGUAGE), version))
                .put(OVERRIDE, override(given.get(OVERRIDE)))
                .put(VERSION, version)
                .finish();
    }

    private static NavigableMap<String, Integer> weights(RawDocument key, @Nullable Value given) {
        NavigableMap<String, Integer> weights = new TreeMap<>();
        TextPattern.fields(key).forEach(each -> weights.put(each, 1));
        switch (given) {
            case null -> {}
            case Value.Doc(RawDocument document) -> {
                for (Element each : document) {
                    if (!Numbers.isNumber(each.value())) {
                        throw refused("weight for text index needs numeric type");
                    }
                    weights.put(each.name(), (int) Numbers.doubleOf(each.value()));
                }
            }
            case Value.Str(Text all) when all.toString().equals(WildcardPaths.ALL) -> weights.put(WildcardPaths.ALL, 1);
            default -> throw refused("text index option 'weights' must be an object");
        }
        if (weights.isEmpty()) {
            throw refused("text index option 'weights' must specify fields or the wildcard");
        }
        weights.forEach(TextOptions::check);
        return weights;
    }

    private static void check(String field, int weight) {
        if (weight <= 0 || weight >= WEIGHT_END) {
            throw refused(
                    "text index weight must be in the exclusive interval (0,%d) but found: %d", WEIGHT_END, weight);
        }
        if (field.equals(WildcardPaths.ALL)) {
            return;
        }
        if (field.isEmpty()) {
            throw refused("weight cannot be on an empty field");
        }
        for (String part : DottedPath.split(field)) {
            if (part.isEmpty()) {
                throw refused("weight cannot have empty path component");
            }
            if (part.startsWith("$")) {
                throw refused("weight cannot have path component with $ prefix");
            }
        }
    }

    private static int version(@Nullable Value given) {
        if (given == null) {
            return TextSpec.VERSION;
        }
        if (!Numbers.isNumber(given)) {
            throw refused("text index option 'textIndexVersion' must be a number");
        }
        int version = (int) Numbers.doubleOf(given);
        if (version < 1 || version > TextSpec.VERSION) {
            throw refused("bad textIndexVersion: %d", version);
        }
        return version;
    }

    private static String language(@Nullable Value given, int version) {
        if (given == null) {
            return Language.ENGLISH.toString();
        }
        if (!(given instanceof Value.Str(Text text))) {
            throw refused("default_language needs a string type");
        }
        if (!Language.isKnown(text.toString(), version)) {
            throw refused("default_language is not valid");
        }
        return text.toString();
    }

    private static String override(@Nullable Value given) {
        if (given == null) {
            return "language";
        }
        if (!(given instanceof Value.Str(Text text))) {
            throw refused("language_override must be a string");
        }
        String field = text.toString();
        if (field.isEmpty() || field.startsWith("$") || field.indexOf('.') >= 0) {
            throw refused("language_override is not valid");
        }
        return field;
    }

    private static CommandException refused(String format, Object... arguments) {
        return new CommandException(ErrorCode.CannotCreateIndex, format, arguments);
    }

    /** What complete options mean. */
    static TextSpec spec(RawDocument options) {
        NavigableMap<String, Double> weights = new TreeMap<>();
        if (options.get(WEIGHTS) instanceof Value.Doc(RawDocument document)) {
            for (Element each : document) {
                weights.put(each.name(), Numbers.doubleOf(each.value()));
            }
        }
        // The weight of the wildcard has no effect in MongoDB either.
        boolean isWildcard = weights.remove(WildcardPaths.ALL) != null;
        int version = version(options.get(VERSION));
        return new TextSpec(
                weights,
                isWildcard,
                Language.of(language(options.get(LANGUAGE), version), version),
                override(options.get(OVERRIDE)),
                version);
    }
}
