package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** Options of {@code $text}; the server's defaults apply to what is null. */
public final class TextSearchOptions {
    private @Nullable String language;
    private @Nullable Boolean caseSensitive;
    private @Nullable Boolean diacriticSensitive;

    public @Nullable String getLanguage() {
        return language;
    }

    public TextSearchOptions language(@Nullable String value) {
        language = value;
        return this;
    }

    public @Nullable Boolean getCaseSensitive() {
        return caseSensitive;
    }

    public TextSearchOptions caseSensitive(@Nullable Boolean value) {
        caseSensitive = value;
        return this;
    }

    public @Nullable Boolean getDiacriticSensitive() {
        return diacriticSensitive;
    }

    public TextSearchOptions diacriticSensitive(@Nullable Boolean value) {
        diacriticSensitive = value;
        return this;
    }
}
