package dev.semel.query.text;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.SnowballStemmer;
import org.tartarus.snowball.ext.DanishStemmer;
import org.tartarus.snowball.ext.DutchStemmer;
import org.tartarus.snowball.ext.EnglishStemmer;
import org.tartarus.snowball.ext.FinnishStemmer;
import org.tartarus.snowball.ext.FrenchStemmer;
import org.tartarus.snowball.ext.GermanStemmer;
import org.tartarus.snowball.ext.HungarianStemmer;
import org.tartarus.snowball.ext.ItalianStemmer;
import org.tartarus.snowball.ext.NorwegianStemmer;
import org.tartarus.snowball.ext.PortugueseStemmer;
import org.tartarus.snowball.ext.RomanianStemmer;
import org.tartarus.snowball.ext.RussianStemmer;
import org.tartarus.snowball.ext.SpanishStemmer;
import org.tartarus.snowball.ext.SwedishStemmer;
import org.tartarus.snowball.ext.TurkishStemmer;

/** The languages that MongoDB knows. */
public enum Language {
    NONE(""),
    DANISH("da"),
    DUTCH("nl"),
    ENGLISH("en"),
    FINNISH("fi"),
    FRENCH("fr"),
    GERMAN("de"),
    HUNGARIAN("hu"),
    ITALIAN("it"),
    NORWEGIAN("nb"),
    PORTUGUESE("pt"),
    ROMANIAN("ro"),
    RUSSIAN("ru"),
    SPANISH("es"),
    SWEDISH("sv"),
    TURKISH("tr");

    private final String code;

    Language(String code) {
        this.code = code;
    }

    /** The one that has this name or code of two letters in an index of this version. */
    public static Language of(String name, int version) {
        Language found = find(name, version);
        if (found == null) {
            throw new CommandException(
                    ErrorCode.BadValue, "unsupported language: \"%s\" for text index version %d", name, version);
        }
        return found;
    }

    /** Whether this is a name or a code of a language in an index of this version. */
    public static boolean isKnown(String name, int version) {
        return find(name, version) != null;
    }

    /** Null for names that stand for no language; in the first version of indexes they mean none. */
    static @Nullable Language find(String name, int version) {
        String wanted = version == TextSpec.FIRST_VERSION ? name : name.toLowerCase(Locale.ROOT);
        for (Language each : values()) {
            if (each.toString().equals(wanted) || (!each.code.isEmpty() && each.code.equals(wanted))) {
                return each;
            }
        }
        return version == TextSpec.FIRST_VERSION ? NONE : null;
    }

    /** A stemmer of its own for each use: it has state. Null if words are left as they are. */
    @Nullable
    SnowballStemmer stemmer() {
        return switch (this) {
            case NONE -> null;
            case DANISH -> new DanishStemmer();
            case DUTCH -> new DutchStemmer();
            case ENGLISH -> new EnglishStemmer();
            case FINNISH -> new FinnishStemmer();
            case FRENCH -> new FrenchStemmer();
            case GERMAN -> new GermanStemmer();
            case HUNGARIAN -> new HungarianStemmer();
            case ITALIAN -> new ItalianStemmer();
            case NORWEGIAN -> new NorwegianStemmer();
            case PORTUGUESE -> new PortugueseStemmer();
            case ROMANIAN -> new RomanianStemmer();
            case RUSSIAN -> new RussianStemmer();
            case SPANISH -> new SpanishStemmer();
            case SWEDISH -> new SwedishStemmer();
            case TURKISH -> new TurkishStemmer();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
