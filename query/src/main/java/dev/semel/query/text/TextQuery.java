package dev.semel.query.text;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A search in an index: any of the words, all of the phrases, none of the words and phrases after a minus sign.
 *
 * @param keyTerms the words as the index has them
 * @param terms the words as they have to be found in documents
 */
public record TextQuery(
        TextSpec spec,
        Language language,
        boolean isCaseSensitive,
        boolean isDiacriticSensitive,
        SortedSet<String> keyTerms,
        SortedSet<String> terms,
        SortedSet<String> negatedTerms,
        List<String> phrases,
        List<String> negatedPhrases) {

    public static TextQuery of(TextSearch search, TextSpec spec) {
        String named = search.language();
        Language language = named == null ? spec.defaultLanguage() : Language.of(named, spec.version());
        Reading reading = new Reading(search.search());
        reading.read();
        // Marks always count in the first versions of indexes, and nothing can be done about it.
        boolean exact = search.isCaseSensitive() || search.isDiacriticSensitive();
        Tokens ofIndex = Tokens.ofIndex(language, spec);
        Tokens asWritten = new Tokens(language, spec, true, search.isCaseSensitive(), search.isDiacriticSensitive());
        SortedSet<String> keyTerms = terms(ofIndex, reading.wanted.toString());
        return new TextQuery(
                spec,
                language,
                search.isCaseSensitive(),
                search.isDiacriticSensitive(),
                keyTerms,
                exact ? terms(asWritten, reading.wanted.toString()) : keyTerms,
                terms(asWritten, reading.negated.toString()),
                List.copyOf(reading.phrases),
                List.copyOf(reading.negatedPhrases));
    }

    private static SortedSet<String> terms(Tokens tokens, String words) {
        NavigableSet<String> terms = new TreeSet<>();
        tokens.over(words);
        for (String term = tokens.next(); term != null; term = tokens.next()) {
            terms.add(term);
        }
        return terms;
    }

    /** Whether a document with one of the terms in the index matches for sure. */
    public boolean isAnswered() {
        return !isExact() && negatedTerms.isEmpty() && phrases.isEmpty() && negatedPhrases.isEmpty();
    }

    /** Whether a term in the index is not yet one as it was written. */
    boolean isExact() {
        return isCaseSensitive || isDiacriticSensitive;
    }

    /** Divides a text into words and phrases to be found and not to be found. */
    private static final class Reading {
        private static final String SPACE = " \f\u000b\t\r\n";

        private final String search;
        private final StringBuilder wanted = new StringBuilder();
        private final StringBuilder negated = new StringBuilder();
        private final List<String> phrases = new ArrayList<>();
        private final List<String> negatedPhrases = new ArrayList<>();
        private int at;
        private boolean afterSpace = true;
        private boolean inNegation;

        /** Where the phrase begins that is being read; -1 outside of phrases. */
        private int phraseStart = -1;

        Reading(String search) {
            this.search = search;
        }

        void read() {
            skipSpace();
            while (at < search.length()) {
                boolean followsSpace = afterSpace;
                int start = at++;
                switch (search.charAt(start)) {
                    case '-' -> inNegation |= phraseStart < 0 && followsSpace;
                    case '"' -> quote(start, followsSpace);
                    default -> word(start, followsSpace);
                }
                afterSpace = skipSpace();
            }
        }

        /** A minus sign reaches as far as the next space. */
        private void word(int start, boolean followsSpace) {
            while (at < search.length() && !isSpace(search.charAt(at)) && "-\"".indexOf(search.charAt(at)) < 0) {
                at++;
            }
            if (phraseStart >= 0 && inNegation) {
                return;
            }
            inNegation &= !followsSpace;
            (inNegation ? negated : wanted).append(search, start, at).append(' ');
        }

        private void quote(int start, boolean followsSpace) {
            if (phraseStart >= 0) {
                (inNegation ? negatedPhrases : phrases).add(search.substring(phraseStart, start));
                phraseStart = -1;
            } else {
                phraseStart = start + 1;
                inNegation &= !followsSpace;
            }
        }

        private boolean skipSpace() {
            int before = at;
            while (at < search.length() && isSpace(search.charAt(at))) {
                at++;
            }
            return at > before;
        }

        private static boolean isSpace(char letter) {
            return SPACE.indexOf(letter) >= 0;
        }
    }
}
