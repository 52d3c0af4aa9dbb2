package dev.semel.query.text;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * How well each term describes a document, by MongoDB's formula: a term counts in each field by the weight of the field,
 * less for each repetition, and more if it makes up much of the field or all of it.
 */
public final class TermScores {
    /** MongoDB's limits on the terms of one document. */
    private static final int TERMS_MAX = 400_000;

    private static final int TERMS_BYTES_MAX = 4 << 20;

    /** What a term and its score take in MongoDB's keys beside the letters of the term. */
    private static final int KEY_BYTES = 22;

    private static final double WHOLE_FIELD_BONUS = 0.1;

    private final TextSpec spec;
    private final Map<Language, Tokens> tokens = new EnumMap<>(Language.class);
    private final Map<String, Double> scores = new HashMap<>();
    private long bytes;

    private TermScores(TextSpec spec) {
        this.spec = spec;
    }

    /** A term in one field. */
    private static final class Frequency {
        private double count;
        private double sum;
        private double divisor;

        private void add() {
            divisor = divisor == 0 ? 1 : divisor * 2;
            count++;
            sum += 1 / divisor;
        }
    }

    public static Map<String, Double> of(RawDocument document, TextSpec spec) {
        TermScores scores = new TermScores(spec);
        TextFields.walk(document, spec, scores::add);
        return scores.scores;
    }

    private boolean add(String text, Language language, double weight) {
        Tokens words = tokens.computeIfAbsent(language, each -> Tokens.ofIndex(each, spec))
                .over(text);
        Map<String, Frequency> terms = new HashMap<>();
        long total = 0;
        long ofField = 0;
        for (String term = words.next(); term != null; term = words.next()) {
            Frequency frequency = terms.get(term);
            if (frequency == null) {
                frequency = new Frequency();
                terms.put(term, frequency);
                ofField += bytes(term);
                checkBytes(ofField);
            }
            frequency.add();
            total++;
        }
        for (var each : terms.entrySet()) {
            String term = each.getKey();
            Frequency frequency = each.getValue();
            double share = 0.5 * frequency.count / total + 0.5;
            double bonus = isWhole(text, term) ? 1 + WHOLE_FIELD_BONUS : 1;
            add(term, weight * frequency.sum * share * bonus);
        }
        return true;
    }

    /** Whether the term stands for the field as it is: only letters of ASCII have a case there. */
    private static boolean isWhole(String text, String term) {
        if (text.length() != term.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (asciiLower(text.charAt(i)) != asciiLower(term.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static char asciiLower(char letter) {
        return letter >= 'A' && letter <= 'Z' ? (char) (letter + ('a' - 'A')) : letter;
    }

    private void add(String term, double more) {
        Double before = scores.get(term);
        if (before != null) {
            scores.put(term, before + more);
            return;
        }
        if (scores.size() == TERMS_MAX) {
            throw new CommandException(
                    ErrorCode.location(16732),
                    "too many unique keys for a single document to have a text index, max is %d",
                    TERMS_MAX);
        }
        bytes += bytes(term);
        checkBytes(bytes);
        scores.put(term, more);
    }

    private static int bytes(String term) {
        return KEY_BYTES + term.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void checkBytes(long taken) {
        if (taken > TERMS_BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.location(16733), "trying to index text where term list is too big, max is 4mb");
        }
    }
}
