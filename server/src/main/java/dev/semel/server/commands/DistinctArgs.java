package dev.semel.server.commands;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.server.command.Arguments;
import dev.semel.server.plan.Query;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code distinct} asks for. */
record DistinctArgs(
        Namespace collection,
        String key,
        RawDocument query,
        @Nullable Value hint,
        @Nullable Collation collation) {

    static DistinctArgs parse(Arguments in) {
        String key = in.requiredString("key");
        if (key.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.location(31032), "Key field cannot contain an embedded null byte");
        }
        DistinctArgs args = new DistinctArgs(
                in.collection("distinct"), key, in.documentOrEmpty("query"), Options.hint(in), Options.collation(in));
        in.notHonoured("collectionUUID");
        return args;
    }

    Query toQuery(Filter filter, FilterScope scope) {
        DottedPath path = DottedPath.of(key);
        return Query.of(filter).hinted(hint).needing(Set.of(path.first())).distinct(path, scope.collation());
    }

    /** As a pipeline that gives the documents that match, for what is no collection and has no indexes. */
    List<RawDocument> stages() {
        return List.of(new BsonWriter().put("$match", query).finish());
    }
}
