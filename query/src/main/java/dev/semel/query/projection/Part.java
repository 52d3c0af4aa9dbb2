package dev.semel.query.projection;

import dev.semel.query.expression.Expression;
import dev.semel.query.filter.Filter;
import dev.semel.query.value.NameIndex;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a projection does with the field of a name. */
sealed interface Part {
    /** Whether it computes something, so that it makes a field where there is none. */
    default boolean computes() {
        return false;
    }

    record Keep() implements Part {}

    record Drop() implements Part {}

    record Computed(Expression expression) implements Part {
        @Override
        public boolean computes() {
            return true;
        }
    }

    /** Part of an array: so many elements from a position, which counts from the end if negative; null for the first or last. */
    record Slice(@Nullable Integer skip, int limit) implements Part {}

    /** The first element of an array that made the document match this filter. */
    record FirstMatch(Filter filter) implements Part {}

    /** Fields below this one. */
    final class Branch implements Part {
        private final Map<String, Part> children = new LinkedHashMap<>();
        private @Nullable NameIndex names;
        private Part @Nullable [] parts;

        Map<String, Part> children() {
            return children;
        }

        NameIndex names() {
            NameIndex known = names;
            if (known == null) {
                known = NameIndex.of(children.keySet());
                names = known;
            }
            return known;
        }

        Part[] parts() {
            Part[] known = parts;
            if (known == null) {
                known = children.values().toArray(Part[]::new);
                parts = known;
            }
            return known;
        }

        @Override
        public boolean computes() {
            return children.values().stream().anyMatch(Part::computes);
        }
    }
}
