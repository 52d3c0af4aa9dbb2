package dev.semel.query.text;

import dev.semel.wire.bson.RawDocument;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Asks of documents what an index cannot tell: phrases, words that must be missing, capital letters and marks. */
public final class TextMatcher {
    private final TextQuery query;
    private final Runnable checkpoint;
    private final Map<Language, Tokens> tokens = new EnumMap<>(Language.class);

    /** @param checkpoint called repeatedly, throws to end a long search */
    public TextMatcher(TextQuery query, Runnable checkpoint) {
        this.query = query;
        this.checkpoint = checkpoint;
    }

    /** Whether a document matches that has one of the terms in the index. */
    public boolean matches(RawDocument document) {
        return query.isAnswered()
                || ((!query.isExact() || hasAny(query.terms(), document))
                        && !hasAny(query.negatedTerms(), document)
                        && hasAll(query.phrases(), document)
                        && hasNone(query.negatedPhrases(), document));
    }

    private boolean hasAny(Set<String> terms, RawDocument document) {
        return !terms.isEmpty()
                && !TextFields.walk(document, query.spec(), (text, language, weight) -> {
                    checkpoint.run();
                    return !hasAny(terms, text, language);
                });
    }

    private boolean hasAny(Set<String> terms, String text, Language language) {
        Tokens words = tokens.computeIfAbsent(
                        language,
                        each -> new Tokens(
                                each, query.spec(), false, query.isCaseSensitive(), query.isDiacriticSensitive()))
                .over(text);
        for (String term = words.next(); term != null; term = words.next()) {
            if (terms.contains(term)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasAll(List<String> phrases, RawDocument document) {
        return phrases.stream().allMatch(each -> has(each, document));
    }

    private boolean hasNone(List<String> phrases, RawDocument document) {
        return phrases.stream().noneMatch(each -> has(each, document));
    }

    /** A phrase need not begin or end where words do. */
    private boolean has(String phrase, RawDocument document) {
        return !TextFields.walk(document, query.spec(), (text, language, weight) -> {
            checkpoint.run();
            Letters letters = Letters.of(language, query.spec());
            return !folded(text, letters).contains(folded(phrase, letters));
        });
    }

    private String folded(String text, Letters letters) {
        String folded = query.isCaseSensitive() ? text : letters.lower(text);
        return query.isDiacriticSensitive() ? folded : letters.plain(folded);
    }
}
