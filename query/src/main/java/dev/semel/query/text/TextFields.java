package dev.semel.query.text;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Walks through the strings of a document that a text index has. */
final class TextFields {
    private final TextSpec spec;
    private final Visitor visitor;

    /** Is shown each string. */
    interface Visitor {
        /** False to see no more. */
        boolean visit(String text, Language language, double weight);
    }

    private TextFields(TextSpec spec, Visitor visitor) {
        this.spec = spec;
        this.visitor = visitor;
    }

    /** False if the visitor has seen enough. */
    static boolean walk(RawDocument document, TextSpec spec, Visitor visitor) {
        return new TextFields(spec, visitor).through(document, spec.defaultLanguage(), "", false);
    }

    private boolean through(RawDocument inside, Language outer, String above, boolean isArray) {
        Language language = isArray ? outer : language(inside, outer, above);
        for (ElementCursor at = inside.cursor(); at.next(); ) {
            String name = at.name();
            if (spec.isWildcard() && name.equals(spec.languageOverride())) {
                continue;
            }
            String path = isArray ? above : above.isEmpty() ? name : above + '.' + name;
            if (!value(at.value(), language, path, isArray)) {
                return false;
            }
        }
        return true;
    }

    private boolean value(Value value, Language language, String path, boolean isElement) {
        return switch (value) {
            case Value.Str(Text text) -> {
                Double weight = spec.weights().get(path);
                yield (weight == null && !spec.isWildcard())
                        || visitor.visit(text.toString(), language, weight == null ? TextSpec.WEIGHT_DEFAULT : weight);
            }
            case Value.Doc(RawDocument fields) -> !hasBelow(path) || through(fields, language, path, false);
            case Value.Array(RawDocument elements)
            when !isElement || spec.isWildcard() ->
                !(spec.weights().containsKey(path) || hasBelow(path)) || through(elements, language, path, true);
            default -> true;
        };
    }

    private boolean hasBelow(String path) {
        if (spec.isWildcard()) {
            return true;
        }
        String first = spec.weights().ceilingKey(path + '.');
        return first != null && first.startsWith(path + '.');
    }

    /** The language that a document names for its strings and for those of the documents in it. */
    private Language language(RawDocument document, Language outer, String above) {
        Value named = document.get(spec.languageOverride());
        if (named == null || (spec.version() == TextSpec.FIRST_VERSION && !above.isEmpty())) {
            return outer;
        }
        if (!(named instanceof Value.Str(Text text))) {
            throw new CommandException(
                    ErrorCode.location(17261), "found language override field in document with non-string type");
        }
        @Nullable Language language = Language.find(text.toString(), spec.version());
        if (language == null) {
            throw new CommandException(ErrorCode.location(17262), "language override unsupported: %s", text);
        }
        return language;
    }
}
