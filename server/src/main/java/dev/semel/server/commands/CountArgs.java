package dev.semel.server.commands;

import dev.semel.query.filter.Filter;
import dev.semel.query.value.Collation;
import dev.semel.server.command.Arguments;
import dev.semel.server.plan.Query;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
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
        @Nullable Value hint,
        @Nullable Collation collation) {

    static CountArgs parse(Arguments in) {
        CountArgs args = new CountArgs(
                in.collection("count"),
                in.documentOrEmpty("query"),
                in.nonNegative("skip", 0),
                limit(in),
                Options.hint(in),
                Options.collation(in));
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

    /** How many of a number of documents are within skip and limit. */
    long window(long documents) {
        long left = Math.max(0, documents - skip);
        return limit == 0 ? left : Math.min(limit, left);
    }

    /** As a pipeline that gives the documents to be counted, for what is no collection and has no indexes. */
    List<RawDocument> stages() {
        List<RawDocument> stages = new ArrayList<>();
        stages.add(new BsonWriter().put("$match", query).finish());
        if (skip > 0) {
            stages.add(new BsonWriter().put("$skip", skip).finish());
        }
        if (limit > 0) {
            stages.add(new BsonWriter().put("$limit", limit).finish());
        }
        return stages;
    }

    Query toQuery(Filter filter) {
        return Query.of(filter).hinted(hint).window(skip, limit).withoutDocuments();
    }
}
