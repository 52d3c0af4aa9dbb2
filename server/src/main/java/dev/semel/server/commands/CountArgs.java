package dev.semel.server.commands;

import dev.semel.query.filter.Filter;
import dev.semel.server.command.Arguments;
import dev.semel.server.plan.Query;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What {@code count} asks for.
 *
 * @param limit 0 for none
 */
record CountArgs(
        Namespace collection,
        RawDocument query,
        long skip,
        long limit,
        @Nullable Value hint) {

    static CountArgs parse(Arguments in) {
        CountArgs args = new CountArgs(
                in.collection("count"),
                in.documentOrEmpty("query"),
                in.nonNegative("skip", 0),
                limit(in),
                Options.hint(in));
        Options.refuseCollation(in);
        // Old shells send it; the server has never looked at it.
        in.ignored("fields");
        in.notHonoured("collectionUUID");
        return args;
    }

    /** A negative limit means the same as a positive one, as in the legacy protocol. */
    private static long limit(Arguments in) {
        long limit = in.integer("limit", 0);
        return limit == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(limit);
    }

    /** Whether every document counts, so that nothing needs to be looked at. */
    boolean countsAll() {
        return query.isEmpty() && hint == null;
    }

    /** How many of so many documents are in the window of skip and limit. */
    long window(long documents) {
        long left = Math.max(0, documents - skip);
        return limit == 0 ? left : Math.min(limit, left);
    }

    Query toQuery(Filter filter) {
        return Query.of(filter).hinted(hint).window(skip, limit).withoutDocuments();
    }
}
