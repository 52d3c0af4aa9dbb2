package dev.semel.server.commands;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.command.Call;
import dev.semel.server.plan.PlanCache;
import dev.semel.server.statement.Reads;
import dev.semel.server.status.ProcessInfo;
import dev.semel.store.Snapshot;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;

/** {@code $planCacheStats}: a document for each entry that the plan cache has for the pipeline's collection. */
final class PlanCacheStatsStage {
    static final String NAME = "$planCacheStats";

    private final Catalog catalog;
    private final Reads reads;
    private final PlanCache cache;
    private final ProcessInfo process;

    PlanCacheStatsStage(Catalog catalog, Reads reads, PlanCache cache, ProcessInfo process) {
        this.catalog = catalog;
        this.reads = reads;
        this.cache = cache;
        this.process = process;
    }

    List<RawDocument> documents(Namespace namespace, Value specification, Call call) {
        check(specification);
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null) {
                throw new CommandException(ErrorCode.location(50933), "collection '%s' does not exist", namespace);
            }
            return cache.describe(collection.requireDocuments()).stream()
                    .map(each -> new BsonWriter()
                            .copyAll(each)
                            .put("host", process.host())
                            .finish())
                    .toList();
        }
    }

    private static void check(Value specification) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "%s value must be an object. Found: %s",
                    NAME,
                    specification.type().alias());
        }
        for (Element option : options) {
            if (!option.name().equals("allHosts")) {
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "%s parameters object may contain only 'allHosts' field. Found: %s",
                        NAME,
                        option.name());
            }
            if (!(option.value() instanceof Value.Bool(boolean all))) {
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "allHosts must be a boolean value. Found: %s",
                        option.value().type().alias());
            }
            if (all) {
                throw new CommandException(
                        ErrorCode.location(4503200),
                        "%s stage supports allHosts parameter only for sharded clusters",
                        NAME);
            }
        }
    }
}
