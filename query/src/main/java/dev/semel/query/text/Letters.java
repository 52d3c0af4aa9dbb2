package dev.semel.query.text;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;
import java.util.function.IntPredicate;

/** What is a letter of a word, and which letters are the same, in each version of text indexes. */
final class Letters {
    private static final int ASCII_END = 0x80;
    private static final String ASCII_DELIMITERS = "~`!@#$%^&*()-=+[]{}|\\;:\"<>,./?";
    private static final String ASCII_SPACE = " \f\u000b\t\r\n";

    /** Those of Unicode that separate words. */
    private static final int[] DELIMITERS = {
        UProperty.DASH,
        UProperty.HYPHEN,
        UProperty.PATTERN_SYNTAX,
        UProperty.QUOTATION_MARK,
        UProperty.TERMINAL_PUNCTUATION,
        UProperty.WHITE_SPACE
    };

    private final boolean isUnicode;
    private final boolean isTurkish;
    private final boolean keepsApostrophes;

    private Letters(boolean isUnicode, boolean isTurkish, boolean keepsApostrophes) {
        this.isUnicode = isUnicode;
        this.isTurkish = isTurkish;
        this.keepsApostrophes = keepsApostrophes;
    }

    static Letters of(Language language, TextSpec spec) {
        return new Letters(spec.isUnicode(), language == Language.TURKISH, language == Language.ENGLISH);
    }

    boolean isDelimiter(int codePoint) {
        if (codePoint == '\'' && keepsApostrophes) {
            return false;
        }
        if (!isUnicode) {
            return codePoint == '\'' || ASCII_DELIMITERS.indexOf(codePoint) >= 0 || ASCII_SPACE.indexOf(codePoint) >= 0;
        }
        for (int property : DELIMITERS) {
            if (UCharacter.hasBinaryProperty(codePoint, property)) {
                return true;
            }
        }
        return false;
    }

    /** In lower case, letter by letter. */
    String lower(String text) {
        if (isAll(text, c -> c < ASCII_END) && !isTurkish) {
            return isAll(text, c -> c < 'A' || c > 'Z') ? text : asciiLower(text);
        }
        if (!isUnicode) {
            return asciiLower(text);
        }
        StringBuilder lower = new StringBuilder(text.length());
        text.codePoints().forEach(each -> lower.appendCodePoint(UCharacter.foldCase(each, !isTurkish)));
        return lower.toString();
    }

    private static String asciiLower(String text) {
        char[] chars = text.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            if (chars[i] >= 'A' && chars[i] <= 'Z') {
                chars[i] = (char) (chars[i] + ('a' - 'A'));
            }
        }
        return new String(chars);
    }

    /** Without accents and other marks, which the first versions of indexes keep. */
    String plain(String text) {
        if (!isUnicode || isAll(text, c -> c < ASCII_END)) {
            return text;
        }
        String decomposed = Normalizer2.getNFDInstance().normalize(text);
        StringBuilder plain = new StringBuilder(decomposed.length());
        decomposed.codePoints().forEach(each -> {
            if (each < ASCII_END || !UCharacter.hasBinaryProperty(each, UProperty.DIACRITIC)) {
                plain.appendCodePoint(each);
            }
        });
        return Normalizer2.getNFCInstance().normalize(plain);
    }

    private static boolean isAll(String text, IntPredicate test) {
        for (int i = 0; i < text.length(); i++) {
            if (!test.test(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
