package dev.semel.query.update;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** One of {@code arrayFilters}: a filter on array elements, which it calls by an identifier. */
record ArrayFilter(String identifier, Filter filter) {
    private static final Pattern IDENTIFIER = Pattern.compile("[a-z][a-zA-Z0-9]*");

    static Map<String, ArrayFilter> parse(List<RawDocument> arrayFilters, FilterScope scope) {
        Map<String, ArrayFilter> byIdentifier = new LinkedHashMap<>();
        for (RawDocument each : arrayFilters) {
            Filter filter;
            try {
                filter = Filters.parseForElements(each, scope);
            } catch (CommandException e) {
                throw e.withMessage("Error parsing array filter :: caused by :: " + e.text());
            }
            String identifier = identifier(each);
            if (byIdentifier.put(identifier, new ArrayFilter(identifier, filter)) != null) {
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "Found multiple array filters with the same top-level field name %s",
                        identifier);
            }
        }
        return byIdentifier;
    }

    private static String identifier(RawDocument filter) {
        Set<String> names = new LinkedHashSet<>();
        collect(filter, names);
        if (names.isEmpty()) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "Cannot use an expression without a top-level field name in arrayFilters");
        }
        var each = names.iterator();
        String first = each.next();
        if (each.hasNext()) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "Error parsing array filter :: caused by :: Expected a single top-level field name, found '%s' "
                            + "and '%s'",
                    first,
                    each.next());
        }
        if (!IDENTIFIER.matcher(first).matches()) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric "
                            + "string beginning with a lowercase letter, found '%s'",
                    first);
        }
        return first;
    }

    private static void collect(RawDocument filter, Set<String> names) {
        for (Element element : filter) {
            if (!element.name().startsWith("$")) {
                int dot = element.name().indexOf('.');
                names.add(dot < 0 ? element.name() : element.name().substring(0, dot));
            } else if (element.value() instanceof Value.Array(RawDocument branches)) {
                for (Element branch : branches) {
                    if (branch.value() instanceof Value.Doc(RawDocument document)) {
                        collect(document, names);
                    }
                }
            }
        }
    }

    boolean matches(Value element) {
        return filter.matches(new BsonWriter().put(identifier, element).finish());
    }
}
