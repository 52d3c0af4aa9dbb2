package dev.semel.server;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.script.ScriptEngine;
import dev.semel.server.auth.Passwords;
import dev.semel.server.auth.Users;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.Oplog;
import dev.semel.server.catalog.StorageSizes;
import dev.semel.server.catalog.StoredFilters;
import dev.semel.server.catalog.TemporaryCollections;
import dev.semel.server.command.Access;
import dev.semel.server.command.Clients;
import dev.semel.server.command.DefaultConcerns;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.command.OperationLog;
import dev.semel.server.command.Profiler;
import dev.semel.server.command.RunningOperations;
import dev.semel.server.commands.CommandParts;
import dev.semel.server.commands.Commands;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.follow.Followers;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.net.Listener;
import dev.semel.server.once.Gate;
import dev.semel.server.once.Inquiry;
import dev.semel.server.once.Removal;
import dev.semel.server.once.TokenInquiry;
import dev.semel.server.once.TokenTable;
import dev.semel.server.once.TransactionMarks;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.server.oplog.OplogWriter;
import dev.semel.server.output.Merging;
import dev.semel.server.output.Outputs;
import dev.semel.server.output.Replacing;
import dev.semel.server.plan.IndexFilters;
import dev.semel.server.plan.PlanCache;
import dev.semel.server.plan.Planner;
import dev.semel.server.replica.Alone;
import dev.semel.server.replica.Expansion;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.Replication;
import dev.semel.server.replica.SingleMember;
import dev.semel.server.replica.Standalone;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.server.settings.Settings;
import dev.semel.server.statement.NewDocuments;
import dev.semel.server.statement.ObjectIds;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Statements;
import dev.semel.server.statement.Targets;
import dev.semel.server.statement.Timestamps;
import dev.semel.server.statement.Writes;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.status.ProcessInfo;
import dev.semel.server.status.Usage;
import dev.semel.store.EngineException;
import dev.semel.store.Store;
import dev.semel.store.Transactions;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import dev.semel.store.spill.SpillFiles;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens the data and connects all parts of a server: the only place that takes the clock and random numbers from the
 * system. Nothing runs yet; see {@link Housekeeping} and {@link Listener}.
 */
final class Wiring implements AutoCloseable {
    final InstantSource clock;
    final LongSupplier nanoTime = System::nanoTime;
    private final SecureRandom random = new SecureRandom();
    final Log log;
    final Counters counters = new Counters();
    private final FailPoints failPoints = new FailPoints(random::nextDouble, nanoTime);
    private final Usage usage = new Usage();
    final String address;
    private final ObjectId runId;
    final Tuning tuning;
    private final Settings settings;
    final FatalErrors fatalErrors;
    final ServerMemory memory;
    final Clients clients;
    final ProcessInfo process;
    final Replication replication;
    private final SpillFiles spillFiles;
    private final QueryMemory queryMemory;
    final Transactions transactions;
    private final Followers followers;
    final @Nullable OplogHistory oplog;
    final Catalog catalog;
    final Cursors cursors;
    final Sessions sessions;
    private final TransactionTable transactionTable;
    final TokenTable tokenTable;
    final SessionTransactions sessionTransactions;
    final ConnectionTransactions connectionTransactions;
    final ReplicaSet replicaSet;
    private final IndexFilters indexFilters = new IndexFilters();
    private final PlanCache planCache;
    private final ObjectIds ids;
    private final Profiler profiler;
    private final DefaultConcerns defaultConcerns;
    final Users users;
    final Access access;
    final Dispatcher dispatcher;

    /**
     * @param address as reported to clients
     * @param fatal called once with the error that must stop the server
     * @param stop ends the server for a client; returns at once
     */
    Wiring(ServerOptions options, String address, Foundation foundation, Consumer<Throwable> fatal, Runnable stop)
            throws IOException {
        this.address = address;
        Replication given = foundation.replication();
        clock = given == null ? InstantSource.system() : given.clock();
        log = new Log(clock);
        runId = new ObjectId((int) clock.instant().getEpochSecond(), random.nextLong());
        tuning = new Tuning(options);
        settings = tuning.settings();
        fatalErrors = new FatalErrors(log, fatal);
        memory = ServerMemory.of(settings.memory);
        clients = new Clients(tuning::lockTimeout);
        replication = given == null ? alone(options.replicaSet(), foundation.expansion()) : given;
        replication.configure(settings, failPoints);
        Store store = replication.open(() -> open(options.directory(), settings.storage.options()));
        store.countLarge(memory.largeValues());
        process = describe(options, store);
        spillFiles = SpillFiles.open(spillFolder(options.directory()), tuning.spillLimits());
        queryMemory = tuning.queryMemory(memory, spillFiles);
        transactions = Transactions.open(
                store,
                tuning.transactionOptions(),
                memory.account(),
                clock,
                nanoTime,
                fatalErrors::fatal,
                foundation.locks(),
                replication.log(),
                spillFiles);
        settings.memory
                .all()
                .forEach(each -> each.onChange(changed -> transactions.options(tuning.transactionOptions())));
        followers = new Followers(transactions);
        OplogWriter writer = options.replicaSet() == null ? null : new OplogWriter(clock);
        oplog = writer == null ? null : history(writer);
        catalog = openCatalog(writer == null ? Oplog.NONE : writer);
        cursors = new Cursors(nanoTime, random::nextLong, tuning::cursorLimits, memory.cursors(), spillFiles);
        transactions.listen(new CursorsOfGone(cursors));
        sessions = new Sessions(tuning.sessionTimeout(), settings.sessionsMax.value(), nanoTime, UUID::randomUUID);
        transactionTable = new TransactionTable(
                transactions, clock, tuning::recordRetention, settings.memory.cacheBytesMax.value());
        tokenTable = new TokenTable(transactions, clock, tuning::tokenRetention, settings.onceBytesMax::value);
        sessionTransactions = new SessionTransactions(
                transactions,
                transactionTable,
                tuning::sessionTransactionLocks,
                tuning::transactionLifetime,
                clock,
                nanoTime);
        connectionTransactions = new ConnectionTransactions(
                transactions,
                new TransactionMarks(transactions, transactionTable, clock),
                tuning::transactionIdle,
                sessions.timeout(),
                nanoTime);
        sessions.onEnd(new SessionCleanup(cursors, sessionTransactions, connectionTransactions, clients)::sessionEnded);
        clients.onLeft(client -> connectionTransactions.connectionClosed(client.connectionId()));
        replicaSet = replication.describe(transactions);
        defaultConcerns = new DefaultConcerns(transactions, catalog);
        transactions.listen(defaultConcerns);
        transactions.listen(indexFilters);
        planCache = new PlanCache(memory.plans(), clock);
        transactions.listen(planCache);
        ids = new ObjectIds(clock, random);
        profiler = new Profiler(
                transactions,
                catalog,
                new Ddl(catalog, tuning::lockTimeout),
                replicaSet::isWritablePrimary,
                nanoTime,
                log);
        users = new Users(transactions, catalog);
        access = new Access(options.security().accessControl(), users);
        dispatcher = new Dispatcher(
                Commands.table(commandParts(options, stop)),
                new NodeState(replicaSet, runId, settings, defaultConcerns),
                access,
                sessions,
                sessionTransactions,
                connectionTransactions,
                clients,
                transactions,
                failPoints,
                counters,
                new OperationLog(settings, log, usage, random::nextDouble, profiler, ids::next, clock),
                memory,
                settings.clusterTimeAheadSecsMax::value,
                clock,
                nanoTime);
    }

    private Replication alone(@Nullable String setName, @Nullable Expansion expansion) {
        return new Alone(
                clock,
                data -> setName == null
                        ? new Standalone(nanoTime)
                        : new SingleMember(setName, address, data, expansion, clock, nanoTime));
    }

    // ---- the data

    private static Store open(@Nullable Path directory, RocksOptions limits) throws IOException {
        if (directory == null) {
            return new MemoryStore();
        }
        try {
            return RocksStore.open(directory, limits);
        } catch (EngineException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Beside the data, or, if that is in the heap, where the system has its temporary files. */
    private static Path spillFolder(@Nullable Path directory) {
        return directory == null
                ? Path.of(System.getProperty("java.io.tmpdir"), "semel-" + UUID.randomUUID())
                : directory.resolve(SpillFiles.FOLDER);
    }

    private ProcessInfo describe(ServerOptions options, Store store) {
        return new ProcessInfo(
                address,
                ProcessHandle.current().pid(),
                clock.instant(),
                store.isPersistent() ? "rocksdb" : "memory",
                store.isPersistent(),
                options.arguments(),
                options.parsed());
    }

    private OplogHistory history(OplogWriter writer) {
        return new OplogHistory(transactions, writer, followers, tuning::oplogBytesMax, tuning::oplogRetention, clock);
    }

    private Catalog openCatalog(Oplog changes) {
        try {
            return Catalog.open(
                    transactions,
                    new StoredFilters(clock, random, queryMemory),
                    UUID::randomUUID,
                    changes,
                    memory.catalog());
        } catch (RuntimeException e) {
            transactions.close();
            throw e;
        }
    }

    private @Nullable ScriptEngine scripts(ObjectIds ids) {
        return tuning.runsScripts() ? new ScriptEngine(tuning.scriptLimits(), ids::next) : null;
    }

    // ---- the commands

    private CommandParts commandParts(ServerOptions options, Runnable stop) {
        Ddl ddl = new Ddl(catalog, tuning::lockTimeout);
        Planner planner = new Planner(queryMemory, indexFilters, planCache);
        Timestamps timestamps = new Timestamps(clock);
        Scopes scopes = new Scopes(
                transactions, catalog, clock, timestamps, ThreadLocalRandom::current, queryMemory, scripts(ids));
        Targets targets = new Targets(catalog, planner, scopes, ids);
        Statements statements = new Statements(catalog, targets, new NewDocuments(ids, timestamps));
        Writes writes = new Writes(
                transactions,
                statements,
                tuning::atomicity,
                tuning::statementLocks,
                new Gate(transactionTable),
                tokenTable);
        return new CommandParts(
                process,
                runId,
                settings,
                memory,
                spillFiles,
                failPoints,
                log,
                counters,
                usage,
                profiler,
                tuning::connectionsMax,
                clients,
                new RunningOperations(clients, sessionTransactions, transactions, catalog, clock, address),
                sessions,
                sessionTransactions,
                connectionTransactions,
                replicaSet,
                defaultConcerns,
                transactions,
                followers,
                catalog,
                ddl,
                new IndexBuilds(ddl),
                new StorageSizes(transactions.store()),
                planner,
                indexFilters,
                planCache,
                scopes,
                new Reads(transactions, catalog, planner),
                oplog,
                targets,
                statements,
                writes,
                new Outputs(
                        new Replacing(new TemporaryCollections(ddl, UUID::randomUUID), writes),
                        new Merging(catalog, transactions, writes, ids),
                        replicaSet::isWritablePrimary),
                transactionTable,
                new Inquiry(transactions, transactionTable),
                tokenTable,
                new TokenInquiry(transactions, tokenTable),
                cursors,
                options.compressors(),
                this::environment,
                users,
                new Passwords(tuning::scramIterations, random::nextBytes),
                access,
                UUID::randomUUID,
                clock,
                nanoTime,
                stop);
    }

    private Environment environment() {
        return new Environment(
                clock.millis(), new Value.Timestamp(transactions.visibleTime()), random, () -> {}, null, queryMemory);
    }

    /** Removes the records of retryable writes that are too old to be asked for. */
    Removal recordRemoval() {
        return new Removal(
                transactions,
                transactionTable,
                sessions,
                clock,
                tuning::recordLifetime,
                tuning::recordRetention,
                Removal.SESSIONS_PER_PASS_MIN);
    }

    /** Before the first command. */
    void start() throws IOException {
        replication.start(new PrimaryDuties(
                catalog,
                oplog,
                connectionTransactions,
                new TemporaryCollections(new Ddl(catalog, tuning::lockTimeout), UUID::randomUUID),
                sessionTransactions,
                clients));
    }

    /** Call it before clients are refused. */
    void stepAside() {
        transactions.barrier().openForEver();
        if (!fatalErrors.isTold()) {
            replication.stepAside();
        }
    }

    /** Call it when no command is running; completes the commits. */
    @Override
    public void close() {
        try (spillFiles;
                transactions) {
            replication.close();
            tokenTable.close();
            cursors.close();
            // The store would wait for their snapshots, which nobody reads any more.
            endTransactions();
            // Where nothing can be written any more, the next start counts.
            catalog.close(replicaSet.isWritablePrimary() && !fatalErrors.isTold());
        } catch (RuntimeException e) {
            if (!fatalErrors.isTold()) {
                throw e;
            }
            log.error(
                    Log.Component.CONTROL, "main", "The server has failed before, and could not be closed in order", e);
        }
    }

    /** Those of clients that have not left, and of sessions, which outlast connections. */
    private void endTransactions() {
        sessionTransactions.giveUp(new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown"));
        connectionTransactions.giveUp("because the server was shut down");
    }
}
