package dev.semel.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.query.filter.Filters;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Updates with hundreds of thousands of values; comparing each with each would take hours. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeArraysTest {
    private static final int SIZE = 300_000;

    private static final RawDocument EMPTY_ARRAY = document("a", numbers(0, 0));

    @Test
    void addToSetComparesWithFewOfTheOthers() {
        RawDocument half = added(EMPTY_ARRAY, numbers(0, SIZE / 2));
        RawDocument all = added(half, numbers(SIZE / 4, SIZE));

        assertThat(all).isEqualTo(document("a", numbers(0, SIZE)));
        assertThat(added(all, numbers(0, SIZE))).isSameAs(all);
    }

    @Test
    void pullAllComparesWithFewOfTheOthers() {
        RawDocument before = document("a", numbers(0, SIZE));

        assertThat(apply(before, "$pullAll", numbers(10, SIZE))).isEqualTo(document("a", numbers(0, 10)));
    }

    private static RawDocument added(RawDocument before, Value values) {
        return apply(before, "$addToSet", new Value.Doc(document("$each", values)));
    }

    private static RawDocument apply(RawDocument before, String operator, Value argument) {
        RawDocument update = document(operator, new Value.Doc(document("a", argument)));
        return Updates.parse(Value.of(update), List.of(), UpdateScriptsTest.scope())
                .apply(before, Filters.ALL)
                .document();
    }

    private static RawDocument document(String name, Value value) {
        return new BsonWriter().put(name, value).finish();
    }

    private static Value numbers(int from, int to) {
        var elements = new BsonWriter();
        for (int i = from; i < to; i++) {
            elements.put(Integer.toString(i - from), new Value.Int32(i));
        }
        return new Value.Array(elements.finish());
    }
}
