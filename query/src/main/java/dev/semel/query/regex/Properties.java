package dev.semel.query.regex;

import static java.util.Map.entry;

import java.lang.Character.UnicodeScript;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What {@code \p{...}} can name: general categories, scripts, properties. */
final class Properties {
    private static final Map<String, IntPredicate> NAMED = Map.ofEntries(
            entry("any", c -> true),
            entry("l", Character::isLetter),
            entry("l&", Properties::isCased),
            entry("lc", Properties::isCased),
            entry("lu", type(Character.UPPERCASE_LETTER)),
            entry("ll", type(Character.LOWERCASE_LETTER)),
            entry("lt", type(Character.TITLECASE_LETTER)),
            entry("lm", type(Character.MODIFIER_LETTER)),
            entry("lo", type(Character.OTHER_LETTER)),
            entry("m", type(Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK)),
            entry("mn", type(Character.NON_SPACING_MARK)),
            entry("me", type(Character.ENCLOSING_MARK)),
            entry("mc", type(Character.COMBINING_SPACING_MARK)),
            entry("n", type(Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER)),
            entry("nd", type(Character.DECIMAL_DIGIT_NUMBER)),
            entry("nl", type(Character.LETTER_NUMBER)),
            entry("no", type(Character.OTHER_NUMBER)),
            entry(
                    "p",
                    type(
                            Character.CONNECTOR_PUNCTUATION,
                            Character.DASH_PUNCTUATION,
                            Character.START_PUNCTUATION,
                            Character.END_PUNCTUATION,
                            Character.INITIAL_QUOTE_PUNCTUATION,
                            Character.FINAL_QUOTE_PUNCTUATION,
                            Character.OTHER_PUNCTUATION)),
            entry("pc", type(Character.CONNECTOR_PUNCTUATION)),
            entry("pd", type(Character.DASH_PUNCTUATION)),
            entry("ps", type(Character.START_PUNCTUATION)),
            entry("pe", type(Character.END_PUNCTUATION)),
            entry("pi", type(Character.INITIAL_QUOTE_PUNCTUATION)),
            entry("pf", type(Character.FINAL_QUOTE_PUNCTUATION)),
            entry("po", type(Character.OTHER_PUNCTUATION)),
            entry(
                    "s",
                    type(
                            Character.MATH_SYMBOL,
                            Character.CURRENCY_SYMBOL,
                            Character.MODIFIER_SYMBOL,
                            Character.OTHER_SYMBOL)),
            entry("sm", type(Character.MATH_SYMBOL)),
            entry("sc", type(Character.CURRENCY_SYMBOL)),
            entry("sk", type(Character.MODIFIER_SYMBOL)),
            entry("so", type(Character.OTHER_SYMBOL)),
            entry("z", Character::isSpaceChar),
            entry("zs", type(Character.SPACE_SEPARATOR)),
            entry("zl", type(Character.LINE_SEPARATOR)),
            entry("zp", type(Character.PARAGRAPH_SEPARATOR)),
            entry(
                    "c",
                    type(
                            Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED)),
            entry("cc", type(Character.CONTROL)),
            entry("cf", type(Character.FORMAT)),
            entry("cs", type(Character.SURROGATE)),
            entry("co", type(Character.PRIVATE_USE)),
            entry("cn", type(Character.UNASSIGNED)),
            entry("xan", Classes::isUnicodeLetterOrNumber),
            entry("xsp", Classes::isUnicodeSpace),
            entry("xps", Classes::isUnicodeSpace),
            entry("xwd", Classes::isUnicodeWord),
            entry("xuc", c -> c == '$' || c == '@' || c == '`' || (c >= 0xa0 && (c < 0xd800 || c > 0xdfff))),
            entry("ascii", c -> c < 128),
            entry("assigned", Character::isDefined),
            entry("alphabetic", Character::isAlphabetic),
            entry("alpha", Character::isAlphabetic),
            entry("lowercase", Character::isLowerCase),
            entry("lower", Character::isLowerCase),
            entry("uppercase", Character::isUpperCase),
            entry("upper", Character::isUpperCase),
            entry("cased", c -> Character.isLowerCase(c) || Character.isUpperCase(c) || Character.isTitleCase(c)),
            entry("whitespace", Classes::isUnicodeSpace),
            entry("wspace", Classes::isUnicodeSpace),
            entry("space", Classes::isUnicodeSpace),
            entry("ideographic", Character::isIdeographic),
            entry("ideo", Character::isIdeographic),
            entry("idstart", c -> Character.isUnicodeIdentifierStart(c)),
            entry("ids", c -> Character.isUnicodeIdentifierStart(c)),
            entry("idcontinue", Properties::isIdentifierPart),
            entry("idc", Properties::isIdentifierPart),
            entry("dash", type(Character.DASH_PUNCTUATION)),
            entry("hexdigit", c -> Character.digit(c, 16) >= 0 && (c < 128 || c >= 0xff10)),
            entry("hex", c -> Character.digit(c, 16) >= 0 && (c < 128 || c >= 0xff10)),
            entry("asciihexdigit", c -> c < 128 && Character.digit(c, 16) >= 0),
            entry("ahex", c -> c < 128 && Character.digit(c, 16) >= 0),
            entry("emoji", Character::isEmoji),
            entry("emojipresentation", Character::isEmojiPresentation),
            entry("epres", Character::isEmojiPresentation),
            entry("emojimodifier", Character::isEmojiModifier),
            entry("emod", Character::isEmojiModifier),
            entry("emojimodifierbase", Character::isEmojiModifierBase),
            entry("ebase", Character::isEmojiModifierBase),
            entry("emojicomponent", Character::isEmojiComponent),
            entry("ecomp", Character::isEmojiComponent),
            entry("extendedpictographic", Character::isExtendedPictographic),
            entry("extpict", Character::isExtendedPictographic),
            entry("bidimirrored", Character::isMirrored),
            entry("bidim", Character::isMirrored));

    private static final Map<String, UnicodeScript> SCRIPTS = scripts();

    private Properties() {}

    private static Map<String, UnicodeScript> scripts() {
        Map<String, UnicodeScript> scripts = new HashMap<>();
        for (UnicodeScript script : UnicodeScript.values()) {
            scripts.put(bare(script.name()), script);
        }
        return Map.copyOf(scripts);
    }

    /** Null for an unknown name. */
    static @Nullable IntPredicate find(String given) {
        String name = bare(given);
        int separator = name.indexOf('=') >= 0 ? name.indexOf('=') : name.indexOf(':');
        if (separator >= 0) {
            String kind = name.substring(0, separator);
            boolean isScript = kind.equals("script") || kind.equals("sc") || kind.equals("scx");
            return isScript || kind.equals("scriptextensions") ? script(name.substring(separator + 1)) : null;
        }
        IntPredicate known = NAMED.get(name);
        return known != null ? known : script(name);
    }

    private static @Nullable IntPredicate script(String name) {
        UnicodeScript script = SCRIPTS.get(name);
        if (script == null) {
            try {
                script = UnicodeScript.forName(name);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        UnicodeScript wanted = script;
        return c -> UnicodeScript.of(c) == wanted;
    }

    /** Case, spaces, hyphens and underscores do not matter in names. */
    private static String bare(String name) {
        return name.replaceAll("[ \\t_-]", "").toLowerCase(Locale.ROOT);
    }

    private static IntPredicate type(int... types) {
        int bits = 0;
        for (int type : types) {
            bits |= 1 << type;
        }
        int wanted = bits;
        return c -> (wanted >>> Character.getType(c) & 1) != 0;
    }

    private static boolean isCased(int c) {
        int type = Character.getType(c);
        return type == Character.UPPERCASE_LETTER
                || type == Character.LOWERCASE_LETTER
                || type == Character.TITLECASE_LETTER;
    }

    private static boolean isIdentifierPart(int c) {
        return Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c);
    }
}
