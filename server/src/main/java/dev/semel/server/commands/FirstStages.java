package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.Literals;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Excerpt;
import dev.semel.server.command.RunningOperations;
import dev.semel.server.session.Session;
import dev.semel.server.session.Sessions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stages that stand first in a pipeline because they bring documents of their own. */
final class FirstStages {
    private static final String LIST_SESSIONS = "$listSessions";

    private final RunningOperations operations;
    private final IdleCursors idleCursors;
    private final Sessions sessions;
    private final CollStatsStage collStats;
    private final IndexStatsStage indexStats;
    private final PlanCacheStatsStage planCacheStats;

    FirstStages(
            RunningOperations operations,
            IdleCursors idleCursors,
            Sessions sessions,
            CollStatsStage collStats,
            IndexStatsStage indexStats,
            PlanCacheStatsStage planCacheStats) {
        this.operations = operations;
        this.idleCursors = idleCursors;
        this.sessions = sessions;
        this.collStats = collStats;
        this.indexStats = indexStats;
        this.planCacheStats = planCacheStats;
    }

    /** The documents of such a stage; null if the pipeline is over a collection. */
    @Nullable
    List<RawDocument> documents(AggregateArgs args, FilterScope scope, Call call) {
        Element first =
                args.stages().isEmpty() ? null : args.stages().getFirst().first();
        String name = first == null ? "" : first.name();
        if (first != null && name.equals(CollStatsStage.NAME) && !args.onDatabase()) {
            return List.of(collStats.document(args.collection(), options(name, first.value(), call), call));
        }
        if (first != null && name.equals(IndexStatsStage.NAME) && !args.onDatabase()) {
            return indexStats.documents(args.collection(), first.value(), call);
        }
        if (first != null && name.equals(PlanCacheStatsStage.NAME) && !args.onDatabase()) {
            return planCacheStats.documents(args.collection(), first.value(), call);
        }
        if (first != null && name.equals(LIST_SESSIONS)) {
            return listedSessions(args, options(name, first.value(), call));
        }
        if (first == null || !isSource(name)) {
            if (args.onDatabase()) {
                // What is no stage is not said to need a collection.
                Pipelines.checkKnown(args.stages());
                throw new CommandException(
                        ErrorCode.InvalidNamespace,
                        "{aggregate: 1} is not valid for %s; a collection is required.",
                        name.isEmpty() ? "an empty pipeline" : "'" + name + "'");
            }
            return null;
        }
        if (!args.onDatabase()) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace,
                    "%s must be run against the database: {aggregate: 1, ...}, not a collection",
                    name);
        }
        return switch (name) {
            case "$documents" -> Literals.documents(first.value(), scope);
            case "$currentOp" -> currentOp(options(name, first.value(), call), call);
            default -> localSessions(options(name, first.value(), call));
        };
    }

    /** Of all users and all servers, which are one. */
    private List<RawDocument> listedSessions(AggregateArgs args, Arguments options) {
        if (!args.collection().toString().equals("config.system.sessions")) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace, "%s may only be run against config.system.sessions", LIST_SESSIONS);
        }
        return localSessions(options);
    }

    private static boolean isSource(String name) {
        return name.equals("$documents") || name.equals("$currentOp") || name.equals("$listLocalSessions");
    }

    private static Arguments options(String name, Value specification, Call call) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "%s options must be specified in an object, but found: %s",
                    name,
                    specification.type().alias());
        }
        return Arguments.ofStage(name, call.database(), options);
    }

    private List<RawDocument> currentOp(Arguments options, Call call) {
        if (!call.database().equals("admin")) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace,
                    "$currentOp must be run against the 'admin' database with {aggregate: 1}");
        }
        boolean all = options.bool("idleConnections", false);
        boolean idleSessions = options.bool("idleSessions", true);
        boolean ofAllUsers = options.bool("allUsers", false);
        boolean cursors = options.bool("idleCursors", false);
        options.bool("localOps", false);
        int bytesMax = options.bool("truncateOps", false) ? Excerpt.SHORT_BYTES_MAX : Excerpt.BYTES_MAX;
        options.notHonoured("backtrace");
        options.refuseUnknown();
        List<RawDocument> found = new ArrayList<>(operations.describe(all, idleSessions, bytesMax));
        if (cursors) {
            found.addAll(idleCursors.describe(ofAllUsers, call));
        }
        return found;
    }

    private List<RawDocument> localSessions(Arguments options) {
        options.bool("allUsers", false);
        options.notHonoured("users");
        options.refuseUnknown();
        List<RawDocument> found = new ArrayList<>();
        for (Session session : sessions.all()) {
            found.add(new BsonWriter().put("_id", session.id().toDocument()).finish());
        }
        return found;
    }
}
