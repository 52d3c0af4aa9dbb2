package dev.semel.query.filter;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import java.util.List;

/** Where in a filter {@code $text} stands: once, and where an index can be asked for it. */
public final class TextPlacement {
    private TextPlacement() {}

    /** Whether a filter has one. */
    public static boolean isIn(Filter filter) {
        return Occurrences.count(filter, Filter.Text.class) > 0;
    }

    public static CommandException indexRequired() {
        return new CommandException(ErrorCode.IndexNotFound, "text index required for $text query");
    }

    public static CommandException collectionRequired(Namespace namespace) {
        return new CommandException(
                ErrorCode.IndexNotFound, "text index required for $text query (no such collection '%s')", namespace);
    }

    static void check(Filter filter) {
        int all = Occurrences.count(filter, Filter.Text.class);
        if (all > 1) {
            throw new CommandException(ErrorCode.BadValue, "Too many text expressions");
        }
        if (all == 1) {
            checkDenied(filter, false);
            if (Nearness.of(filter) != null) {
                throw new CommandException(ErrorCode.BadValue, "text and geoNear not allowed in same query");
            }
        }
    }

    private static void checkDenied(Filter filter, boolean isDenied) {
        switch (filter) {
            case Filter.Text ignored -> {
                if (isDenied) {
                    throw new CommandException(ErrorCode.BadValue, "text expression not allowed in nor");
                }
            }
            case Filter.And(List<Filter> all) -> all.forEach(each -> checkDenied(each, isDenied));
            case Filter.Or(List<Filter> any) -> any.forEach(each -> checkDenied(each, isDenied));
            case Filter.Nor(List<Filter> none) -> none.forEach(each -> checkDenied(each, true));
            case Filter.Not(Filter denied) -> checkDenied(denied, true);
            default -> {}
        }
    }
}
