package dev.semel.driver.model;

import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The language-specific rules for comparing strings. The server's defaults apply to what is null. */
public record Collation(
        @Nullable String locale,
        @Nullable Boolean caseLevel,
        @Nullable CollationCaseFirst caseFirst,
        @Nullable CollationStrength strength,
        @Nullable Boolean numericOrdering,
        @Nullable CollationAlternate alternate,
        @Nullable CollationMaxVariable maxVariable,
        @Nullable Boolean normalization,
        @Nullable Boolean backwards)
        implements Bson {
    public static Builder builder() {
        return new Builder(new Collation(null, null, null, null, null, null, null, null, null));
    }

    public static Builder builder(Collation from) {
        return new Builder(from);
    }

    public @Nullable String getLocale() {
        return locale;
    }

    public @Nullable Boolean getCaseLevel() {
        return caseLevel;
    }

    public @Nullable CollationCaseFirst getCaseFirst() {
        return caseFirst;
    }

    public @Nullable CollationStrength getStrength() {
        return strength;
    }

    public @Nullable Boolean getNumericOrdering() {
        return numericOrdering;
    }

    public @Nullable CollationAlternate getAlternate() {
        return alternate;
    }

    public @Nullable CollationMaxVariable getMaxVariable() {
        return maxVariable;
    }

    public @Nullable Boolean getNormalization() {
        return normalization;
    }

    public @Nullable Boolean getBackwards() {
        return backwards;
    }

    public BsonDocument asDocument() {
        var document = new BsonDocument();
        if (locale != null) {
            document.put("locale", new BsonString(locale));
        }
        putFlag(document, "caseLevel", caseLevel);
        if (caseFirst != null) {
            document.put("caseFirst", new BsonString(caseFirst.getValue()));
        }
        if (strength != null) {
            document.put("strength", new BsonInt32(strength.getIntRepresentation()));
        }
        putFlag(document, "numericOrdering", numericOrdering);
        if (alternate != null) {
            document.put("alternate", new BsonString(alternate.getValue()));
        }
        if (maxVariable != null) {
            document.put("maxVariable", new BsonString(maxVariable.getValue()));
        }
        putFlag(document, "normalization", normalization);
        putFlag(document, "backwards", backwards);
        return document;
    }

    private static void putFlag(BsonDocument document, String name, @Nullable Boolean flag) {
        if (flag != null) {
            document.put(name, BsonBoolean.valueOf(flag));
        }
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return asDocument();
    }

    /** Builds a collation. */
    public static final class Builder {
        private @Nullable String locale;
        private @Nullable Boolean caseLevel;
        private @Nullable CollationCaseFirst caseFirst;
        private @Nullable CollationStrength strength;
        private @Nullable Boolean numericOrdering;
        private @Nullable CollationAlternate alternate;
        private @Nullable CollationMaxVariable maxVariable;
        private @Nullable Boolean normalization;
        private @Nullable Boolean backwards;

        private Builder(Collation from) {
            locale = from.locale;
            caseLevel = from.caseLevel;
            caseFirst = from.caseFirst;
            strength = from.strength;
            numericOrdering = from.numericOrdering;
            alternate = from.alternate;
            maxVariable = from.maxVariable;
            normalization = from.normalization;
            backwards = from.backwards;
        }

        public Builder locale(@Nullable String value) {
            locale = value;
            return this;
        }

        public Builder caseLevel(@Nullable Boolean value) {
            caseLevel = value;
            return this;
        }

        public Builder collationCaseFirst(@Nullable CollationCaseFirst value) {
            caseFirst = value;
            return this;
        }

        public Builder collationStrength(@Nullable CollationStrength value) {
            strength = value;
            return this;
        }

        public Builder numericOrdering(@Nullable Boolean value) {
            numericOrdering = value;
            return this;
        }

        public Builder collationAlternate(@Nullable CollationAlternate value) {
            alternate = value;
            return this;
        }

        public Builder collationMaxVariable(@Nullable CollationMaxVariable value) {
            maxVariable = value;
            return this;
        }

        public Builder normalization(@Nullable Boolean value) {
            normalization = value;
            return this;
        }

        public Builder backwards(@Nullable Boolean value) {
            backwards = value;
            return this;
        }

        public Collation build() {
            return new Collation(
                    locale,
                    caseLevel,
                    caseFirst,
                    strength,
                    numericOrdering,
                    alternate,
                    maxVariable,
                    normalization,
                    backwards);
        }
    }
}
