package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortPattern;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.plan.QueryShape;
import dev.semel.server.statement.Scopes;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * The shape of queries that a command is about.
 *
 * @param given the fields by which it was given
 */
record ShapeArgs(
        RawDocument query,
        RawDocument sort,
        RawDocument projection,
        @Nullable Collation collation,
        RawDocument given) {

    /** Null if the command is about all queries. */
    static @Nullable ShapeArgs optional(Arguments in) {
        if (in.has("query")) {
            return required(in);
        }
        for (String field : new String[] {"sort", "projection", "collation"}) {
            if (in.optional(field) != null) {
                throw new CommandException(
                        ErrorCode.BadValue, "sort or projection or collation provided without query");
            }
        }
        return null;
    }

    static ShapeArgs required(Arguments in) {
        if (!in.has("query")) {
            throw new CommandException(ErrorCode.BadValue, "required field query missing");
        }
        RawDocument query = in.requiredDocument("query");
        RawDocument sort = in.documentOrEmpty("sort");
        RawDocument projection = in.documentOrEmpty("projection");
        RawDocument collation = in.optionalDocument("collation");
        BsonWriter given =
                new BsonWriter().put("query", query).put("sort", sort).put("projection", projection);
        if (collation != null && !collation.isEmpty()) {
            given.put("collation", collation);
        }
        return new ShapeArgs(
                query,
                sort,
                projection,
                collation == null || collation.isEmpty() ? null : Collation.parse(collation),
                given.finish());
    }

    QueryShape shape(Namespace namespace, Scopes scopes, Call call) {
        FilterScope scope = scopes.forCall(RawDocument.EMPTY, collation, namespace, call);
        return QueryShape.of(Filters.parseSearch(query, scope), SortPattern.parse(sort, scope.collation()), projection);
    }
}
