package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.server.auth.Passwords;
import dev.semel.server.auth.Users;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.CollectionStatistics;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.StorageSizes;
import dev.semel.server.changes.ChangeStreams;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Access;
import dev.semel.server.command.ApiParameters;
import dev.semel.server.command.Clients;
import dev.semel.server.command.Command;
import dev.semel.server.command.CommandTable;
import dev.semel.server.command.RunningOperations;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.once.Inquiry;
import dev.semel.server.once.TokenInquiry;
import dev.semel.server.once.TokenTable;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.server.output.Outputs;
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
import dev.semel.server.statement.Views;
import dev.semel.server.statement.Writes;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.status.ProcessInfo;
import dev.semel.server.status.Usage;
import dev.semel.store.Transactions;
import dev.semel.store.lock.LockStatistics;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.message.Compressor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of contents: every command of this server, A to Z. */
public final class Commands {
    /** Commands of MongoDB and TokuMX that clients may know and that are not to be had here, or not yet. */
    private static final Set<String> KNOWN_ELSEWHERE = Set.of(
            "abortLoad",
            "abortTransaction",
            "addPartition",
            "addShard",
            "addShardToZone",
            "appendOplogNote",
            "applyOps",
            "backupStart",
            "backupStatus",
            "backupThrottle",
            "balancerStart",
            "balancerStatus",
            "balancerStop",
            "beginLoad",
            "checkpoint",
            "cloneCollectionAsCapped",
            "commitLoad",
            "commitTransaction",
            "compact",
            "convertToCapped",
            "convertToPartitioned",
            "coordinateCommitTransaction",
            "createRole",
            "dataSize",
            "dbHash",
            "dropAllRolesFromDatabase",
            "dropConnections",
            "dropPartition",
            "dropRole",
            "enableSharding",
            "engineStatus",
            "filemd5",
            "flushRouterConfig",
            "forceWriteLocks",
            "fsyncUnlock",
            "getDiagnosticData",
            "getPartitionInfo",
            "getShardMap",
            "getShardVersion",
            "getlasterror",
            "grantPrivilegesToRole",
            "grantRolesToRole",
            "invalidateUserCache",
            "listShards",
            "logRotate",
            "mapReduce",
            "moveChunk",
            "movePrimary",
            "moveRange",
            "planCacheClear",
            "prepareTransaction",
            "reIndex",
            "reapLogicalSessionCacheNow",
            "recoverToPoint",
            "refreshLogicalSessionCacheNow",
            "removeShard",
            "removeShardFromZone",
            "replSetFreeze",
            "replSetGetRBID",
            "replSetHeartbeat",
            "replSetInitiate",
            "replSetMaintenance",
            "replSetReconfig",
            "replSetRequestVotes",
            "replSetResizeOplog",
            "replSetStepDown",
            "replSetStepUp",
            "replSetSyncFrom",
            "replSetUpdatePosition",
            "revokePrivilegesFromRole",
            "revokeRolesFromRole",
            "rotateCertificates",
            "setDefaultRWConcern",
            "setShardVersion",
            "setWriteLockYielding",
            "shardCollection",
            "shardingState",
            "sleep",
            "split",
            "updateRole",
            "updateZoneKeyRange");

    private static final Set<String> SEARCH =
            Set.of("createSearchIndexes", "dropSearchIndex", "listSearchIndexes", "updateSearchIndex");

    private Commands() {}

    /**
     * What commands work with.
     *
     * @param runId a number that another run of the server does not have
     * @param oplog null of a server that stands alone
     * @param stop ends the server; returns at once
     * @param environments what expressions see, at this moment
     */
    public record Parts(
            ProcessInfo process,
            ObjectId runId,
            Settings settings,
            ServerMemory memory,
            FailPoints failPoints,
            Log log,
            Counters counters,
            Usage usage,
            Clients clients,
            RunningOperations operations,
            Sessions sessions,
            SessionTransactions sessionTransactions,
            ConnectionTransactions connectionTransactions,
            ReplicaSet replicaSet,
            Transactions transactions,
            Catalog catalog,
            Ddl ddl,
            IndexBuilds indexBuilds,
            StorageSizes storageSizes,
            Planner planner,
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
            Runnable stop) {}

    /** The commands by name, and the names of those that are refused by name. */
    public static CommandTable table(Parts with) {
        // Two commands describe the table they are in.
        var itself = new Object() {
            @Nullable
            CommandTable table;

            CommandTable get() {
                return Objects.requireNonNull(table);
            }
        };
        List<Command<?>> all = new ArrayList<>(all(with, itself::get));
        if (with.settings.enableTestCommands.value()) {
            all.addAll(testCommands(with));
        }
        Set<String> missing = new HashSet<>(KNOWN_ELSEWHERE);
        all.forEach(each -> missing.remove(each.spec().name()));
        itself.table = new CommandTable(all, missing, SEARCH);
        return itself.get();
    }

    /** Unknown, and not even known by name, unless the server was started for tests. */
    private static List<Command<?>> testCommands(Parts with) {
        List<Command<?>> commands = new ArrayList<>();
        commands.add(new ConfigureFailPoint(with.failPoints));
        commands.add(new WaitForFailPoint(with.failPoints));
        ApiParameters.TEST_COMMANDS.forEach(each -> commands.add(new ApiTest(each)));
        return commands;
    }

    private static List<Command<?>> all(Parts with, Supplier<CommandTable> table) {
        OplogReads oplog = new OplogReads(with.oplog);
        Views views = new Views(with.catalog);
        Explanations explanations =
                new Explanations(with.catalog, with.planner, with.reads, views, with.scopes, with.targets);
        ReadSources sources = new ReadSources(views, oplog);
        Piping piping = new Piping(with.reads, views, oplog);
        Login login = new Login(with.users, with.passwords, with.log);
        CollectionStatistics statistics = new CollectionStatistics(with.storageSizes);
        return List.of(
                new AbortTransaction(with.sessionTransactions, with.connectionTransactions),
                new Aggregate(
                        with.cursors,
                        sources,
                        views,
                        piping,
                        with.scopes,
                        new FirstStages(
                                with.operations,
                                with.sessions,
                                new CollStatsStage(
                                        with.catalog, with.reads, statistics, oplog, with.process, with.clock),
                                new IndexStatsStage(with.catalog, with.reads, with.process)),
                        new ChangeStreams(with.transactions, with.catalog, with.oplog),
                        with.outputs,
                        explanations),
                new Authenticate(login),
                new BeginTransaction(with.connectionTransactions, with.sessionTransactions, with.replicaSet),
                new BuildInfo(ProcessInfo.version(), with.process.storageEngine()),
                new BulkWrite(with.writes, with.cursors),
                new CollMod(with.ddl, with.scopes),
                new CollStats(with.catalog, with.reads, statistics, oplog),
                new CommitTransaction(with.sessionTransactions, with.connectionTransactions),
                new ConnPoolStats(),
                new ConnectionStatus(),
                new Count(with.catalog, with.reads, sources, piping, with.scopes, oplog),
                new Create(with.ddl, with.scopes),
                new CreateIndexes(with.indexBuilds),
                new CreateUser(with.users, with.passwords, with.writes, with.uuids),
                new CurrentOp(with.operations, with.environments),
                new DataSize(with.catalog, with.reads),
                new DbHash(with.catalog, with.transactions, with.process),
                new DbStats(with.catalog, with.reads, with.storageSizes),
                new Delete(with.writes),
                new Distinct(with.reads, sources, piping, with.scopes),
                new Drop(with.ddl),
                new DropAllUsersFromDatabase(with.users, with.writes),
                new DropConnections(),
                new DropDatabase(with.ddl),
                new DropIndexes(with.ddl),
                new DropUser(with.users, with.writes),
                new EndSessions(with.sessions),
                new Explain(explanations),
                new Find(
                        with.catalog, with.transactions, with.cursors, with.reads, sources, piping, with.scopes, oplog),
                new FindAndModify(with.writes, with.statements, with.targets, with.scopes),
                new Fsync(with.transactions),
                new GetCmdLineOpts(with.process, with.replicaSet),
                new GetDefaultRwConcern(with.clock),
                new GetFreeMonitoringStatus(),
                new GetLog(with.log),
                new GetMore(with.cursors),
                new GetParameter(with.settings),
                new ChangeRoles(ChangeRoles.Change.GRANT, with.users, with.writes),
                new Hello(
                        false,
                        with.replicaSet,
                        with.sessions,
                        with.compressors,
                        with.runId,
                        with.clock,
                        with.users,
                        login),
                new Hello(
                        true,
                        with.replicaSet,
                        with.sessions,
                        with.compressors,
                        with.runId,
                        with.clock,
                        with.users,
                        login),
                new HostInfo(with.clock),
                new Insert(with.writes),
                new KillAllSessions(with.sessions),
                new KillAllSessionsByPattern(with.sessions),
                new KillCursors(with.cursors),
                new KillOp(with.clients),
                new KillSessions(with.sessions),
                new ListCollections(with.catalog, with.reads, with.cursors, oplog, with.environments, with.access),
                new ListCommands(table),
                new ListDatabases(with.catalog, with.transactions, with.storageSizes, with.environments, with.access),
                new ListIndexes(with.catalog, with.reads, with.cursors),
                new Logout(),
                new Ping(),
                new Profile(with.settings),
                new RefreshSessions(with.sessions),
                new RenameCollection(with.ddl),
                new ReplSetGetConfig(with.replicaSet),
                new ReplSetGetStatus(with.replicaSet),
                new ChangeRoles(ChangeRoles.Change.REVOKE, with.users, with.writes),
                new RolesInfo(),
                new RollbackTransaction(with.connectionTransactions),
                new SaslContinue(login),
                new SaslStart(login),
                new ServerStatus(
                        with.process,
                        with.settings,
                        with.clients,
                        with.sessions,
                        with.sessionTransactions,
                        with.replicaSet,
                        with.transactions,
                        with.transactionTable,
                        with.tokenTable,
                        with.counters,
                        table,
                        with.clock,
                        with.cursors::counts,
                        sections(with)),
                new SetClientLockTimeout(),
                new SetFeatureCompatibilityVersion(),
                new SetParameter(with.settings, with.log),
                new ShowLiveTransactions(with.transactions, with.catalog, with.cursors),
                new ShowPendingLockRequests(with.transactions, with.catalog),
                new Shutdown(with.stop),
                new StartSession(with.sessions),
                new Top(with.usage),
                new Update(with.writes),
                new UpdateUser(with.users, with.passwords, with.writes),
                new UsersInfo(with.users, with.environments),
                new Validate(with.catalog, with.transactions),
                new WhatsMyUri(),
                new WriteOutcome(
                        with.sessions,
                        with.sessionTransactions,
                        with.connectionTransactions,
                        with.inquiry,
                        with.tokenInquiry));
    }

    /** What only one part of the server knows of itself, for {@code serverStatus}. */
    private static Map<String, Consumer<BsonWriter>> sections(Parts with) {
        return Map.of(
                "cursors",
                cursorFigures(with.cursors),
                "ft",
                lockFigures(with.transactions),
                "memoryAccount",
                with.memory::describe);
    }

    /** Under the names that TokuMX's monitoring knows; {@code ft} was its storage. */
    private static Consumer<BsonWriter> lockFigures(Transactions transactions) {
        return out -> {
            LockStatistics locks = transactions.lockStatistics();
            out.startDocument("locktree")
                    .startDocument("size")
                    .put("current", locks.bytes())
                    .put("limit", locks.bytesMax())
                    .end()
                    .end()
                    .startDocument("alerts")
                    .put("locktreeRequestsPending", locks.pending())
                    .startDocument("longWaitEvents")
                    .startDocument("locktreeWait")
                    .put("count", locks.longWaits())
                    .put("time", locks.longWaitMicros())
                    .end()
                    .startDocument("locktreeWaitEscalation")
                    .put("count", locks.escalations())
                    .put("time", locks.escalationMicros())
                    .end()
                    .end()
                    .end();
        };
    }

    private static Consumer<BsonWriter> cursorFigures(Cursors cursors) {
        return out -> {
            var counts = cursors.counts();
            out.put("totalOpened", counts.opened())
                    .put("timedOut", counts.timedOut())
                    .startDocument("open")
                    .put("total", counts.open())
                    .put("pinned", counts.inUse())
                    .put("noTimeout", counts.withoutTimeout())
                    .end()
                    .put("oldestSnapshotSecs", counts.oldest().toSeconds());
        };
    }
}
