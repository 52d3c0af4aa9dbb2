package dev.semel.server.statement;

import dev.semel.query.value.Collation;
import dev.semel.server.plan.Query;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** A sort as clients write it: an order of documents, or {@code {$natural: 1}}, which asks for a scan instead. */
public final class Sorting {
    private static final String NATURAL = "$natural";

    private Sorting() {}

    public static Query of(Query query, RawDocument sort, Collation collation) {
        if (!sort.has(NATURAL)) {
            return query.sortedBy(sort, collation);
        }
        if (sort.size() > 1) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "$natural sort cannot be set to a value other than -1 or 1 or mixed with fields");
        }
        Value hint = query.hint();
        if (hint != null && !isNatural(hint)) {
            throw new CommandException(ErrorCode.BadValue, "$natural sort and a hint of an index exclude each other");
        }
        return query.sortedBy(sort, collation);
    }

    private static boolean isNatural(Value hint) {
        return hint instanceof Value.Doc(RawDocument document) && document.has(NATURAL);
    }
}
