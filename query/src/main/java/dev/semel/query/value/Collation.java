package dev.semel.query.value;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How texts compare: byte by byte, or as people of some language sort them. Any other values compare as ever.
 *
 * <p>A collation gives every value a {@link #key}, in which each text is replaced by one whose bytes sort as the collation
 * wants it. Whatever compares, hashes or stores in order needs to know no more than that: two values compare under a
 * collation as their keys do without one.
 */
public final class Collation {
    /** Byte by byte. */
    public static final Collation SIMPLE = new Collation(null, RawDocument.EMPTY);

    private final @Nullable RuleBasedCollator collator;
    private final RawDocument document;

    Collation(@Nullable RuleBasedCollator collator, RawDocument document) {
        this.collator = collator;
        this.document = document;
    }

    /** As clients describe it; an empty document is no collation, and null. */
    public static @Nullable Collation parse(RawDocument specification) {
        return specification.isEmpty() ? null : new CollationParser(specification).parse();
    }

    /** The locales that have their own order, or that of their language. */
    static boolean isKnown(String locale) {
        return Locales.NAMES.contains(locale);
    }

    /** Found out once, when the first collation is asked for. */
    private static final class Locales {
        static final Set<String> NAMES = names();

        private static Set<String> names() {
            Set<String> names = new TreeSet<>();
            for (ULocale each : Collator.getAvailableULocales()) {
                names.add(each.getBaseName());
            }
            return names;
        }
    }

    public boolean isSimple() {
        return collator == null;
    }

    /** With every option, those included that the locale decided; empty for the simple one. */
    public RawDocument document() {
        return document;
    }

    // ---- comparing

    public int compare(@Nullable Value a, @Nullable Value b) {
        return collator == null || a == null || b == null
                ? ValueOrder.compare(a, b)
                : ValueOrder.compare(key(a), key(b));
    }

    public boolean equal(@Nullable Value a, @Nullable Value b) {
        return compare(a, b) == 0;
    }

    /** The value by whose bytes this one sorts; the same value if there is no text in it. */
    public Value key(Value value) {
        RuleBasedCollator by = collator;
        if (by == null) {
            return value;
        }
        return switch (value) {
            case Value.Str(Text text) -> new Value.Str(key(by, text));
            case Value.Symbol(Text text) -> new Value.Str(key(by, text));
            case Value.Doc(RawDocument document) -> new Value.Doc(keys(document));
            case Value.Array(RawDocument elements) -> new Value.Array(keys(elements));
            default -> value;
        };
    }

    private static Text key(RuleBasedCollator collator, Text text) {
        byte[] bytes = collator.getCollationKey(text.toString()).toByteArray();
        // The last byte is a zero that ends every key and no text may have.
        return new Text(bytes, 0, bytes.length - 1);
    }

    private RawDocument keys(RawDocument document) {
        BsonWriter out = new BsonWriter(document.length() * 2);
        for (ElementCursor at = document.cursor(); at.next(); ) {
            switch (at.type()) {
                case STRING, SYMBOL, DOCUMENT, ARRAY -> out.put(at.nameText(), key(at.value()));
                default -> out.copy(at);
            }
        }
        return out.finish();
    }

    /** Whether a value has the same key under every collation, so that what is known of one is true of all. */
    public static boolean isFree(Value value) {
        return switch (value) {
            case Value.Str ignored -> false;
            case Value.Symbol ignored -> false;
            case Value.Doc(RawDocument document) -> areFree(document);
            case Value.Array(RawDocument elements) -> areFree(elements);
            default -> true;
        };
    }

    private static boolean areFree(RawDocument document) {
        for (ElementCursor at = document.cursor(); at.next(); ) {
            if (!isFree(at.value())) {
                return false;
            }
        }
        return true;
    }

    // ---- being one

    @Override
    public boolean equals(Object other) {
        return other instanceof Collation that && document.equals(that.document);
    }

    @Override
    public int hashCode() {
        return document.hashCode();
    }

    @Override
    public String toString() {
        return document.toString();
    }
}
