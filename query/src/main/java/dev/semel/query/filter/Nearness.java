package dev.semel.query.filter;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in a filter {@code $near} stands: among the conditions that must all hold, and once. */
public final class Nearness {
    private Nearness() {}

    /** The one of a filter that was checked, or null if it has none. */
    public static Filter.@Nullable Near of(Filter filter) {
        List<Filter.Near> found = new ArrayList<>();
        collect(filter, found);
        return found.isEmpty() ? null : found.getFirst();
    }

    static void check(Filter filter) {
        List<Filter.Near> found = new ArrayList<>();
        collect(filter, found);
        int all = count(filter);
        if (all > 1) {
            throw new CommandException(ErrorCode.BadValue, "Too many geoNear expressions");
        }
        if (all > found.size()) {
            throw new CommandException(ErrorCode.BadValue, "geo $near must be top-level expr");
        }
    }

    private static void collect(Filter filter, List<Filter.Near> into) {
        switch (filter) {
            case Filter.Near near -> into.add(near);
            case Filter.And(List<Filter> all) -> all.forEach(each -> collect(each, into));
            default -> {}
        }
    }

    private static int count(Filter filter) {
        return switch (filter) {
            case Filter.Near ignored -> 1;
            case Filter.And(List<Filter> all) -> count(all);
            case Filter.Or(List<Filter> any) -> count(any);
            case Filter.Nor(List<Filter> none) -> count(none);
            case Filter.Not(Filter denied) -> count(denied);
            case Filter.Field(DottedPath ignored, Condition.ElemMatchDocument(Filter inner)) -> count(inner);
            default -> 0;
        };
    }

    private static int count(List<Filter> filters) {
        return filters.stream().mapToInt(Nearness::count).sum();
    }
}
