package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Stored;
import dev.semel.server.plan.IndexFilters.IndexFilter;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What administrators may ask the planner to remember. */
class IndexFiltersTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");

    @TempDir
    private Path directory;

    private static QueryShape shape(int number) {
        return new QueryShape("f" + number, "", "");
    }

    private static IndexFilter filter(String... indexes) {
        return new IndexFilter(
                RawDocument.EMPTY, List.of(indexes).stream().map(Value::of).toList());
    }

    @Test
    void filtersAreLimitedInNumberAndBytes() {
        try (Stored stored = Stored.open(Stored.Engine.MEMORY, directory, new Random(1))) {
            stored.insert(NAMESPACE);
            Collection collection;
            try (var snapshot = stored.transactions().snapshot()) {
                collection = stored.catalog().require(NAMESPACE, snapshot);
            }
            IndexFilters filters = new IndexFilters();
            assertThatThrownBy(() -> filters.set(collection, shape(0), filter("x".repeat(10_000), "y".repeat(10_000))))
                    .hasMessageContaining("there can be 1000 index filters of 16384 bytes each");
            for (int i = 0; i < 1000; i++) {
                filters.set(collection, shape(i), filter("a"));
            }
            assertThatThrownBy(() -> filters.set(collection, shape(1000), filter("a")))
                    .hasMessageContaining("there can be 1000 index filters of 16384 bytes each");
            filters.set(collection, shape(7), filter("b"));
            assertThat(filters.of(collection)).hasSize(1000).contains(filter("b"));
        }
    }
}
