package dev.semel.server.catalog;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Parses the filters that the catalog stores: validators, and those of partial indexes. */
public final class StoredFilters {
    private final InstantSource clock;
    private final RandomGenerator random;
    private final QueryMemory memory;

    /** @param memory what a new filter may take as objects; one that is stored is accepted whatever it takes */
    public StoredFilters(InstantSource clock, RandomGenerator random, QueryMemory memory) {
        this.clock = clock;
        this.random = random;
        this.memory = memory;
    }

    /** Refuses what is no filter, and one that is too large. */
    Filter parseNew(RawDocument filter) {
        return Filters.parseStored(
                filter, new FilterScope(new Environment(clock.millis(), null, random, () -> {}, null, memory)));
    }

    Filter parse(RawDocument filter, Collation collation) {
        return Filters.parseStored(
                filter, new FilterScope(new Environment(clock.millis(), null, random)).under(collation));
    }

    /**
     * For several threads: one with expressions has an environment, which threads cannot share, and is parsed again.
     */
    Supplier<Filter> shared(RawDocument filter, Collation collation) {
        Filter parsed = parse(filter, collation);
        return hasEnvironment(filter) ? () -> parse(filter, collation) : () -> parsed;
    }

    private static boolean hasEnvironment(RawDocument filter) {
        for (Element element : filter) {
            boolean inside = switch (element.value()) {
                case Value.Doc(RawDocument inner) -> hasEnvironment(inner);
                case Value.Array(RawDocument elements) -> hasEnvironment(elements);
                default -> false;
            };
            if (inside || element.name().equals("$expr") || element.name().equals("$sampleRate")) {
                return true;
            }
        }
        return false;
    }
}
