package dev.semel.server.commands;

import dev.semel.server.catalog.CappedCopies;
import dev.semel.server.catalog.CollectionStatistics;
import dev.semel.server.catalog.Compaction;
import dev.semel.server.changes.ChangeStreams;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.ApiParameters;
import dev.semel.server.command.Command;
import dev.semel.server.command.CommandTable;
import dev.semel.server.statement.Views;
import dev.semel.server.status.ProcessInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The table of contents: every command of this server, A to Z. */
public final class Commands {
    private Commands() {}

    /** The commands by name, and the names of those that are refused by name. */
    public static CommandTable table(CommandParts with) {
        // Two commands describe the table they are in.
        var itself = new Object() {
            @Nullable
            CommandTable table;

            CommandTable get() {
                return Objects.requireNonNull(table);
            }
        };
        List<Command<?>> all = new ArrayList<>(all(with, itself::get));
        if (with.settings().enableTestCommands.value()) {
            all.addAll(testCommands(with));
        }
        Set<String> missing = new HashSet<>(UnsupportedCommands.KNOWN_ELSEWHERE);
        all.forEach(each -> missing.remove(each.spec().name()));
        itself.table = new CommandTable(all, missing, UnsupportedCommands.SEARCH);
        return itself.get();
    }

    /** Unknown, and not even known by name, unless the server was started for tests. */
    private static List<Command<?>> testCommands(CommandParts with) {
        List<Command<?>> commands = new ArrayList<>();
        commands.add(new ConfigureFailPoint(with.failPoints()));
        commands.add(new WaitForFailPoint(with.failPoints()));
        ApiParameters.TEST_COMMANDS.forEach(each -> commands.add(new ApiTest(each)));
        return commands;
    }

    private static List<Command<?>> all(CommandParts with, Supplier<CommandTable> table) {
        OplogReads oplog = new OplogReads(with.oplog());
        Views views = new Views(with.catalog());
        Explanations explanations = new Explanations(
                with.catalog(),
                with.planner(),
                with.reads(),
                views,
                with.scopes(),
                with.targets(),
                new ExplainedServer(with.process(), with.settings().memory.queryBytesMax::value));
        ReadSources sources = new ReadSources(views, oplog);
        Piping piping = new Piping(with.reads(), views, oplog);
        Login login = new Login(with.users(), with.passwords(), with.log());
        CollectionStatistics statistics = new CollectionStatistics(with.storageSizes());
        CappedCopies capped = new CappedCopies(with.ddl(), with.uuids());
        BooleanSupplier diskUseByDefault = with.settings().allowDiskUseByDefault::value;
        return List.of(
                new AbortTransaction(with.sessionTransactions(), with.connectionTransactions()),
                new Aggregate(
                        with.cursors(),
                        sources,
                        views,
                        piping,
                        with.scopes(),
                        new FirstStages(
                                with.operations(),
                                new IdleCursors(with.cursors(), with.clock(), with.process()),
                                with.sessions(),
                                new CollStatsStage(
                                        with.catalog(),
                                        with.reads(),
                                        statistics,
                                        oplog,
                                        with.usage(),
                                        with.process(),
                                        with.clock()),
                                new IndexStatsStage(with.catalog(), with.reads(), with.process()),
                                new PlanCacheStatsStage(
                                        with.catalog(), with.reads(), with.planCache(), with.process())),
                        new ChangeStreams(with.transactions(), with.catalog(), with.oplog(), with.spillFiles()),
                        with.outputs(),
                        explanations,
                        diskUseByDefault),
                new Authenticate(login),
                new BeginTransaction(with.connectionTransactions(), with.sessionTransactions(), with.replicaSet()),
                new BuildInfo(ProcessInfo.version(), with.process().storageEngine()),
                new BulkWrite(with.writes(), with.cursors()),
                new CloneCollectionAsCapped(capped),
                new CollMod(with.ddl(), with.scopes()),
                new CollStats(with.catalog(), with.reads(), statistics, oplog),
                new CommitTransaction(with.sessionTransactions(), with.connectionTransactions()),
                new Compact(
                        with.catalog(),
                        with.transactions(),
                        new Compaction(with.transactions().store()),
                        with.replicaSet()),
                new ConnPoolStats(),
                new ConnectionStatus(),
                new ConvertToCapped(capped),
                new Count(with.catalog(), with.reads(), sources, piping, with.scopes(), oplog),
                new Create(with.ddl(), with.scopes()),
                new CreateIndexes(with.indexBuilds()),
                new CreateUser(with.users(), with.passwords(), with.writes(), with.uuids()),
                new CurrentOp(with.operations(), with.environments()),
                new DataSize(with.catalog(), with.reads()),
                new SplitVector(with.reads()),
                new DbHash(with.catalog(), with.transactions(), with.process()),
                new DbStats(with.catalog(), with.reads(), with.storageSizes()),
                new Delete(with.writes()),
                new Distinct(with.reads(), sources, piping, with.scopes()),
                new Drop(with.ddl(), with.profiler().levels()),
                new DropAllUsersFromDatabase(with.users(), with.writes()),
                new DropConnections(),
                new DropDatabase(with.ddl()),
                new DropIndexes(with.ddl()),
                new DropUser(with.users(), with.writes()),
                new EndSessions(with.sessions()),
                new Explain(explanations, diskUseByDefault),
                new Find(
                        with.catalog(),
                        with.transactions(),
                        with.followers(),
                        with.cursors(),
                        with.reads(),
                        sources,
                        piping,
                        with.scopes(),
                        oplog,
                        diskUseByDefault),
                new FindAndModify(with.writes(), with.statements(), with.targets(), with.scopes()),
                new Fsync(with.transactions()),
                new FsyncUnlock(with.transactions()),
                new GetCmdLineOpts(with.process(), with.replicaSet()),
                new GetDefaultRwConcern(with.defaultConcerns(), with.replicaSet(), with.clock()),
                new GetFreeMonitoringStatus(),
                new GetLog(with.log()),
                new GetMore(with.cursors()),
                new GetParameter(with.settings()),
                new ChangeRoles(ChangeRoles.Change.GRANT, with.users(), with.writes()),
                hello(false, with, login),
                hello(true, with, login),
                new HostInfo(with.clock()),
                new Insert(with.writes()),
                new KillAllSessions(with.sessions()),
                new KillAllSessionsByPattern(with.sessions()),
                new KillCursors(with.cursors()),
                new KillOp(with.clients()),
                new KillSessions(with.sessions()),
                new ListCollections(
                        with.catalog(), with.reads(), with.cursors(), oplog, with.environments(), with.access()),
                new ListCommands(table),
                new ListDatabases(
                        with.catalog(), with.transactions(), with.storageSizes(), with.environments(), with.access()),
                new ListIndexes(with.catalog(), with.reads(), with.cursors()),
                new Logout(),
                new MapReduce(sources, piping, with.scopes(), with.outputs()),
                new Ping(),
                new PlanCacheClear(with.catalog(), with.planCache(), with.scopes()),
                new PlanCacheClearFilters(with.catalog(), with.indexFilters(), with.planCache(), with.scopes()),
                new PlanCacheListFilters(with.catalog(), with.indexFilters()),
                new PlanCacheSetFilter(with.catalog(), with.indexFilters(), with.planCache(), with.scopes()),
                new Profile(with.settings(), with.profiler(), with.environments()),
                new ReIndex(with.indexBuilds(), with.replicaSet()),
                new RefreshSessions(with.sessions()),
                new RenameCollection(with.ddl()),
                new ReplSetFreeze(with.replicaSet()),
                new ReplSetGetConfig(with.replicaSet()),
                new ReplSetGetStatus(with.replicaSet()),
                new ReplSetInitiate(with.replicaSet()),
                new ReplSetMaintenance(with.replicaSet()),
                new ReplSetReconfig(with.replicaSet()),
                new ReplSetResizeOplog(with.replicaSet(), with.settings()),
                new ReplSetStepDown(with.replicaSet()),
                new ReplSetStepUp(with.replicaSet()),
                new ChangeRoles(ChangeRoles.Change.REVOKE, with.users(), with.writes()),
                new RolesInfo(),
                new RollbackTransaction(with.connectionTransactions()),
                new SaslContinue(login),
                new SaslStart(login),
                new ServerStatus(
                        with.process(),
                        with.settings(),
                        with.connectionsMax(),
                        with.clients(),
                        with.sessions(),
                        with.sessionTransactions(),
                        with.replicaSet(),
                        with.transactions(),
                        with.transactionTable(),
                        with.tokenTable(),
                        with.counters(),
                        table,
                        with.clock(),
                        with.nanoTime(),
                        with.cursors()::counts,
                        StatusSections.of(with)),
                new SetClientLockTimeout(),
                new SetDefaultRwConcern(
                        with.defaultConcerns(), with.writes(), with.transactions(), with.replicaSet(), with.clock()),
                new SetFeatureCompatibilityVersion(),
                new SetParameter(with.settings(), with.log()),
                new ShowLiveTransactions(with.transactions(), with.catalog(), with.cursors()),
                new ShowPendingLockRequests(with.transactions(), with.catalog()),
                new Shutdown(with.stop()),
                new StartSession(with.sessions()),
                new Top(with.usage()),
                new Update(with.writes()),
                new UpdateUser(with.users(), with.passwords(), with.writes()),
                new UsersInfo(with.users(), with.environments()),
                new Validate(with.catalog(), with.transactions(), with.indexBuilds(), with.replicaSet()),
                new WhatsMyUri(),
                new WriteOutcome(
                        with.sessions(),
                        with.sessionTransactions(),
                        with.connectionTransactions(),
                        with.inquiry(),
                        with.tokenInquiry()));
    }

    private static Hello hello(boolean isLegacy, CommandParts with, Login login) {
        return new Hello(
                isLegacy,
                with.replicaSet(),
                with.sessions(),
                with.compressors(),
                with.runId(),
                with.clock(),
                with.users(),
                login);
    }
}
