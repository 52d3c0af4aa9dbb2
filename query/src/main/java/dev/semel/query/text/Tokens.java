package dev.semel.query.text;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tartarus.snowball.SnowballStemmer;

/**
 * The words of a text, reduced to terms one after the other: in lower case, without their endings, without marks. For one
 * thread; {@link #over} begins with another text.
 */
final class Tokens {
    private final Set<String> stopWords;
    private final Letters letters;
    private final @Nullable SnowballStemmer stemmer;
    private final boolean keepsCase;
    private final boolean keepsMarks;
    private String text = "";
    private int at;

    /**
     * @param dropsStopWords without the frequent words that say nothing
     * @param keepsCase words keep their capital letters
     * @param keepsMarks words keep their accents
     */
    Tokens(Language language, TextSpec spec, boolean dropsStopWords, boolean keepsCase, boolean keepsMarks) {
        this.stopWords = dropsStopWords ? StopWords.of(language) : Set.of();
        this.letters = Letters.of(language, spec);
        this.stemmer = language.stemmer();
        this.keepsCase = keepsCase;
        this.keepsMarks = keepsMarks;
    }

    /** As an index has them. */
    static Tokens ofIndex(Language language, TextSpec spec) {
        return new Tokens(language, spec, true, false, false);
    }

    Tokens over(String other) {
        text = other;
        at = 0;
        skipDelimiters();
        return this;
    }

    /** Null after the last. */
    @Nullable
    String next() {
        while (at < text.length()) {
            int start = at;
            while (at < text.length() && !letters.isDelimiter(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
            }
            String word = text.substring(start, at);
            skipDelimiters();
            String lower = letters.lower(word);
            if (!stopWords.contains(lower)) {
                return term(keepsCase ? word : lower);
            }
        }
        return null;
    }

    private void skipDelimiters() {
        while (at < text.length() && letters.isDelimiter(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
    }

    /** Stemmers know words with their marks. */
    private String term(String word) {
        String stem = word;
        if (stemmer != null) {
            stemmer.setCurrent(word);
            stemmer.stem();
            stem = stemmer.getCurrent();
        }
        return keepsMarks ? stem : letters.plain(stem);
    }
}
