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
}
