package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.server.auth.Passwords;
import dev.semel.server.auth.Users;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.StorageSizes;
import dev.semel.server.command.Access;
import dev.semel.server.command.Clients;
import dev.semel.server.command.DefaultConcerns;
import dev.semel.server.command.Profiler;
import dev.semel.server.command.RunningOperations;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.follow.Followers;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.once.Inquiry;
import dev.semel.server.once.TokenInquiry;
import dev.semel.server.once.TokenTable;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.server.output.Outputs;
import dev.semel.server.plan.IndexFilters;
import dev.semel.server.plan.PlanCache;
import dev.semel.server.plan.Planner;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.server.settings.Settings;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Statements;
import dev.semel.server.statement.Targets;
import dev.semel.server.statement.Writes;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.status.ProcessInfo;
import dev.semel.server.status.Usage;
import dev.semel.store.Transactions;
import dev.semel.store.spill.SpillFiles;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.message.Compressor;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What commands work with.
 *
 * @param runId a number that another run of the server does not have
 * @param connectionsMax how many clients can be connected, which the heap may limit as well as the settings
 * @param oplog null of a server that stands alone
 * @param stop ends the server; returns at once
 * @param environments what expressions see, at this moment
 */
public record CommandParts(
        ProcessInfo process,
        ObjectId runId,
        Settings settings,
        ServerMemory memory,
        SpillFiles spillFiles,
        FailPoints failPoints,
        Log log,
        Counters counters,
        Usage usage,
        Profiler profiler,
        LongSupplier connectionsMax,
        Clients clients,
        RunningOperations operations,
        Sessions sessions,
        SessionTransactions sessionTransactions,
        ConnectionTransactions connectionTransactions,
        ReplicaSet replicaSet,
        DefaultConcerns defaultConcerns,
        Transactions transactions,
        Followers followers,
        Catalog catalog,
        Ddl ddl,
        IndexBuilds indexBuilds,
        StorageSizes storageSizes,
        Planner planner,
        IndexFilters indexFilters,
        PlanCache planCache,
        Scopes scopes,
        Reads reads,
        @Nullable OplogHistory oplog,
        Targets targets,
        Statements statements,
        Writes writes,
        Outputs outputs,
        TransactionTable transactionTable,
        Inquiry inquiry,
        TokenTable tokenTable,
        TokenInquiry tokenInquiry,
        Cursors cursors,
        List<Compressor> compressors,
        Supplier<Environment> environments,
        Users users,
        Passwords passwords,
        Access access,
        Supplier<UUID> uuids,
        InstantSource clock,
        LongSupplier nanoTime,
        Runnable stop) {}
