package dev.semel.query.filter;

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
        int all = Occurrences.count(filter, Filter.Near.class);
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
}
