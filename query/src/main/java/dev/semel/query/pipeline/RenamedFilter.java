package dev.semel.query.pipeline;

import dev.semel.query.filter.Filter;
import dev.semel.query.value.DottedPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter of reshaped documents, as one of the documents before. */
final class RenamedFilter {
    private RenamedFilter() {}

    /** Null if some field that it reads was not there before, under whatever name. */
    static @Nullable Filter before(Filter filter, Reshape reshape) {
        return switch (filter) {
            case Filter.And(var all) -> all(all, reshape, Filter.And::new);
            case Filter.Or(var any) -> all(any, reshape, Filter.Or::new);
            case Filter.Nor(var none) -> all(none, reshape, Filter.Nor::new);
            case Filter.Not(var denied) -> {
                Filter before = before(denied, reshape);
                yield before == null ? null : new Filter.Not(before);
            }
            case Filter.Field(DottedPath path, var condition) -> {
                String source = reshape.source(path.first());
                yield source == null
                        ? null
                        : source.equals(path.first())
                                ? filter
                                : new Filter.Field(
                                        path.size() == 1
                                                ? DottedPath.of(source)
                                                : DottedPath.of(source).append(path.from(1)),
                                        condition);
            }
            case Filter.Always ignored -> filter;
            // What reads documents as a whole, or is not always the same.
            default -> null;
        };
    }

    @FunctionalInterface
    private interface Combination {
        Filter of(List<Filter> filters);
    }

    private static @Nullable Filter all(List<Filter> filters, Reshape reshape, Combination combination) {
        List<Filter> before = new ArrayList<>();
        for (Filter each : filters) {
            Filter renamed = before(each, reshape);
            if (renamed == null) {
                return null;
            }
            before.add(renamed);
        }
        return combination.of(List.copyOf(before));
    }
}
