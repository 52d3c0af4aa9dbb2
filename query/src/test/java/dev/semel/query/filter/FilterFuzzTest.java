package dev.semel.query.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import dev.semel.query.Shorthand;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.RawDocument;

final class FilterFuzzTest {
    /** Any document is refused as a filter, or matches any document or not; nothing else comes out. */
    @FuzzTest
    void anyDocumentIsRefusedOrIsAFilter(byte[] bytes) {
        try {
            RawDocument document = BsonValidation.check(bytes, 0, bytes.length);
            Filter filter = Filters.parse(document, Shorthand.scope());
            filter.matches(document);
            filter.matchedIndex(document);
            assertThat(Mismatch.explain(filter, document, document).isEmpty()).isFalse();
        } catch (CommandException e) {
            assertThat(e.text()).isNotEmpty();
        }
    }

    /** A regular expression is refused, or matches, or is given up. */
    @FuzzTest
    void anyPatternIsRefusedOrMatches(@NotNull String pattern) {
        try {
            RegexPattern.of(pattern, "x", () -> {}).matches(pattern);
            RegexPattern.of(pattern, "", () -> {}).matches("aaaaab");
        } catch (CommandException e) {
            assertThat(e.text()).isNotEmpty();
        }
    }
}
