package dev.semel.query.text;

import java.util.NavigableMap;

/**
 * What a text index has of documents.
 *
 * @param weights of the fields, by their paths
 * @param isWildcard whether it has all other strings too
 * @param languageOverride the field of a document by which it names the language of its strings
 */
public record TextSpec(
        NavigableMap<String, Double> weights,
        boolean isWildcard,
        Language defaultLanguage,
        String languageOverride,
        int version) {
    static final int FIRST_VERSION = 1;

    /** The version that new indexes have, the first that knows more letters than those of ASCII. */
    public static final int VERSION = 3;

    static final double WEIGHT_DEFAULT = 1;

    /** Whether texts are folded and divided by the rules of Unicode. */
    boolean isUnicode() {
        return version >= VERSION;
    }
}
