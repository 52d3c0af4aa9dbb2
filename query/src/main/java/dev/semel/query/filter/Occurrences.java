package dev.semel.query.filter;

import dev.semel.query.value.DottedPath;
import java.util.List;

/** How often an operator stands in a filter, at whatever depth. */
final class Occurrences {
    private Occurrences() {}

    static int count(Filter filter, Class<? extends Filter> kind) {
        return switch (filter) {
            case Filter.And(List<Filter> all) -> count(all, kind);
            case Filter.Or(List<Filter> any) -> count(any, kind);
            case Filter.Nor(List<Filter> none) -> count(none, kind);
            case Filter.Not(Filter denied) -> count(denied, kind);
            case Filter.Field(DottedPath ignored, Condition.ElemMatchDocument(Filter inner)) -> count(inner, kind);
            default -> kind.isInstance(filter) ? 1 : 0;
        };
    }

    private static int count(List<Filter> filters, Class<? extends Filter> kind) {
        return filters.stream().mapToInt(each -> count(each, kind)).sum();
    }
}
