package dev.semel.query.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import org.junit.jupiter.api.Test;

class ExpressionSizeTest {
    private static RawDocument deep(String name, int levels) {
        RawDocument inner = new BsonWriter().put(name, 1).finish();
        for (int i = 1; i < levels; i++) {
            inner = new BsonWriter().put(name, inner).finish();
        }
        return inner;
    }

    /** Each field below others is kept with the names of all of them. */
    @Test
    void longPathsCount() {
        assertThat(ExpressionSize.of(deep("a", 90))).isBetween(89, 120);
        assertThat(ExpressionSize.of(deep("a".repeat(10_000), 90))).isBetween(80_000, 81_000);
    }

    @Test
    void eachPartOfAPathCounts() {
        RawDocument expression =
                new BsonWriter().put("v", "$" + "a.".repeat(100) + "a").finish();
        assertThat(ExpressionSize.of(expression)).isBetween(51, 52);
        RawDocument name = new BsonWriter().put("a.".repeat(100) + "a", 1).finish();
        assertThat(ExpressionSize.of(name)).isBetween(50, 51);
        RawDocument path = new BsonWriter().put("path", "a.".repeat(100) + "a").finish();
        assertThat(ExpressionSize.of(path)).isBetween(12, 13);
        RawDocument text = new BsonWriter().put("$set", ".".repeat(1_000_000)).finish();
        assertThat(ExpressionSize.of(text)).isLessThan(2);
    }
}
