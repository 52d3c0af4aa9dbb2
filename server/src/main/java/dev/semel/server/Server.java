package dev.semel.server;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.server.auth.Passwords;
import dev.semel.server.auth.UserName;
import dev.semel.server.auth.Users;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.Expiry;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.Oplog;
import dev.semel.server.catalog.StorageSizes;
import dev.semel.server.catalog.StoredFilters;
import dev.semel.server.catalog.Substitutes;
import dev.semel.server.command.Access;
import dev.semel.server.command.Call;
import dev.semel.server.command.Client;
import dev.semel.server.command.Clients;
import dev.semel.server.command.CommandTable;
import dev.semel.server.command.Concerns;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.command.OperationLog;
import dev.semel.server.command.RunningOperations;
import dev.semel.server.commands.Commands;
import dev.semel.server.cursor.CursorLimits;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.net.Listener;
import dev.semel.server.net.Tls;
import dev.semel.server.once.Gate;
import dev.semel.server.once.Inquiry;
import dev.semel.server.once.Removal;
import dev.semel.server.once.TokenInquiry;
import dev.semel.server.once.TokenRemoval;
import dev.semel.server.once.TokenTable;
import dev.semel.server.once.TransactionMarks;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.oplog.OplogHistory;
import dev.semel.server.oplog.OplogWriter;
import dev.semel.server.output.Merging;
import dev.semel.server.output.Outputs;
import dev.semel.server.output.Replacing;
import dev.semel.server.plan.Planner;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.SingleMember;
import dev.semel.server.replica.Standalone;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.server.settings.MemorySettings;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.server.statement.Atomicity;
import dev.semel.server.statement.NewDocuments;
import dev.semel.server.statement.ObjectIds;
import dev.semel.server.statement.Reads;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Statements;
import dev.semel.server.statement.Targets;
import dev.semel.server.statement.Writes;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.status.ProcessInfo;
import dev.semel.server.status.Usage;
import dev.semel.store.EngineException;
import dev.semel.store.Store;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.lock.Locks;
import dev.semel.store.memory.MemoryStore;
import dev.semel.store.rocks.RocksOptions;
import dev.semel.store.rocks.RocksStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A database that runs, and the wiring of all its parts: the one place that knows the system's clock and its random
 * numbers. When {@link #close} returns, no thread, file or port of it is left.
 */
public final class Server implements AutoCloseable {
    private static final Duration SNAPSHOT_WINDOW = Duration.ofSeconds(60);
    private static final int SNAPSHOTS_MAX = 10_000;
    private static final int MEMORY_SNAPSHOTS_MAX = 1_000;
    private static final long RECORD_REMOVAL_SECS = 60;

    /** With less for each connection, their buffers alone could fill the heap. */
    private static final long HEAP_BYTES_PER_CONNECTION = 128 << 10;

    /** What a log in the heap takes by default, unless that is more than a sixteenth of it. */
    private static final long OPLOG_MEGABYTES_IN_MEMORY = 64;

    /** Which share of the heap outcomes of writes with a token may take by default, where all data is there. */
    private static final long TOKENS_HEAP_SHARE = 16;

    private final ServerOptions options;
    private final InstantSource clock = InstantSource.system();
    private final LongSupplier nanoTime = System::nanoTime;
    private final SecureRandom random = new SecureRandom();
    private final Log log = new Log(clock);
    private final Clients clients = new Clients(this::lockTimeout);
    private final Counters counters = new Counters();
    private final FailPoints failPoints = new FailPoints(random::nextDouble, nanoTime);
    private final Settings settings;
    private final ServerMemory memory;
    private final Transactions transactions;
    private final @Nullable OplogHistory oplog;
    private final Catalog catalog;
    private final Cursors cursors;
    private final Sessions sessions;
    private final TransactionTable transactionTable;
    private final TokenTable tokenTable;
    private final SessionTransactions sessionTransactions;
    private final ConnectionTransactions connectionTransactions;
    private final ReplicaSet replicaSet;
    private final String address;
    private final Users users;
    private final Access access;
    private final Dispatcher dispatcher;
    private final @Nullable Listener listener;
    private final Thread housekeeper;
    private final Thread counter;
    private final Interruption counting = Interruption.unlimited();
    private final Periodic ttlMonitor;
    private final Periodic recordRemoval;
    private final CountDownLatch housekeepingEnds = new CountDownLatch(1);
    private final long heapConnectionsMax = Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_CONNECTION;
    private final AtomicBoolean isClosing = new AtomicBoolean();
    private final AtomicBoolean isFailing = new AtomicBoolean();

    /** Of threads without which the server would go on in part; made now, because there may be no memory then. */
    private final Thread.UncaughtExceptionHandler deathOfPart = this::partDied;

    private final Thread.UncaughtExceptionHandler deathOfConnection = this::connectionDied;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Returns when the server answers. An {@link IOException} says why it cannot listen or open its data. */
    public static Server start(ServerOptions options) throws IOException {
        return start(options, null);
    }

    /** With another lock table, for tests that prove that they notice a weaker one; null for the real one. */
    static Server start(ServerOptions options, @Nullable Locks locks) throws IOException {
        // The port first: whoever finds it taken has not touched the data.
        Listener.Bound bound = Listener.Bound.to(options.addresses(), options.port());
        try {
            return new Server(options, bound, locks);
        } catch (RuntimeException | IOException e) {
            bound.close();
            throw e;
        }
    }

    private Server(ServerOptions options, Listener.Bound bound, @Nullable Locks locks) throws IOException {
        this.options = options;
        settings = new Settings(Runtime.getRuntime().maxMemory(), options.directory() == null);
        settings.slowOperationMs.set(options.slowOperationMs());
        if (options.directory() == null) {
            settings.oplogMegabytesMax.set(
                    Math.clamp(Runtime.getRuntime().maxMemory() >> 24, 1, OPLOG_MEGABYTES_IN_MEMORY));
            settings.onceBytesMax.set(Runtime.getRuntime().maxMemory() / TOKENS_HEAP_SHARE);
        }
        Tls tls = options.security().tls();
        if (tls != null) {
            settings.tlsMode.set(Value.of(tls.mode().name()));
        }
        options.parameters().forEach(this::setParameter);
        AnnouncedAddress announced = AnnouncedAddress.of(options.advertised(), bound, tls);
        address = announced.hostAndPort();
        Store store = open();
        ProcessInfo process = new ProcessInfo(
                address,
                ProcessHandle.current().pid(),
                clock.instant(),
                store.isPersistent() ? "rocksdb" : "memory",
                store.isPersistent(),
                options.arguments(),
                options.parsed());
        memory = ServerMemory.of(settings.memory);
        transactions =
                Transactions.open(store, transactionOptions(), memory.account(), clock, nanoTime, this::fatal, locks);
        settings.memory.all().forEach(each -> each.onChange(changed -> transactions.options(transactionOptions())));
        OplogWriter writer = options.replicaSet() == null ? null : new OplogWriter(clock);
        oplog = writer == null ? null : history(writer);
        catalog = openCatalog(writer == null ? Oplog.NONE : writer);
        cursors = new Cursors(nanoTime, random::nextLong, this::cursorLimits, memory.cursors());
        sessions = new Sessions(Duration.ofMinutes(settings.sessionTimeoutMinutes.value()), nanoTime, UUID::randomUUID);
        sessions.onEnd(this::sessionEnded);
        transactionTable =
                new TransactionTable(transactions, clock, this::recordRetention, settings.memory.cacheBytesMax.value());
        tokenTable = new TokenTable(
                transactions,
                clock,
                () -> Duration.ofSeconds(settings.onceRetentionSecs.value()),
                settings.onceBytesMax::value);
        sessionTransactions = new SessionTransactions(
                transactions,
                transactionTable,
                () -> LockPolicy.of(
                        LockPolicy.Kind.SESSION_TRANSACTION,
                        Duration.ofMillis(settings.transactionLockTimeoutMs.value())),
                () -> Duration.ofSeconds(settings.transactionLifetimeSecs.value()),
                clock,
                nanoTime);
        connectionTransactions = new ConnectionTransactions(
                transactions,
                new TransactionMarks(transactions, transactionTable, clock),
                () -> Duration.ofSeconds(settings.transactionIdleSecs.value()),
                sessions.timeout(),
                nanoTime);
        clients.onLeft(client -> connectionTransactions.connectionClosed(client.connectionId()));
        String setName = options.replicaSet();
        replicaSet = setName == null
                ? new Standalone(nanoTime)
                : new SingleMember(setName, address, transactions, clock, nanoTime);
        Usage usage = new Usage();
        users = new Users(transactions, catalog);
        access = new Access(options.security().accessControl(), users);
        dispatcher = new Dispatcher(
                Commands.table(parts(process, usage)),
                new Role(),
                access,
                sessions,
                sessionTransactions,
                connectionTransactions,
                clients,
                transactions,
                failPoints,
                counters,
                new OperationLog(settings, log, usage, random::nextDouble),
                memory,
                clock,
                nanoTime);
        if (oplog != null) {
            oplog.begin();
        }
        new Substitutes(new Ddl(catalog, this::lockTimeout), UUID::randomUUID)
                .clear(Ddl.Scope.own(Interruption.unlimited()));
        options.security().users().forEach(this::ensure);
        ttlMonitor = new Periodic(
                "ttl",
                log,
                () -> settings.ttlMonitorEnabled.value() ? settings.ttlMonitorSleepSecs.value() : 0,
                new Expiry(catalog, clock)::pass,
                deathOfPart);
        Removal removal = new Removal(
                transactions,
                transactionTable,
                sessions,
                clock,
                () -> Duration.ofMinutes(settings.recordLifetimeMinutes.value()),
                this::recordRetention,
                Removal.SESSIONS_PER_PASS_MIN);
        TokenRemoval tokenRemoval = new TokenRemoval(transactions, tokenTable);
        recordRemoval = new Periodic(
                "records",
                log,
                () -> RECORD_REMOVAL_SECS,
                interruption -> {
                    tokenRemoval.pass(interruption);
                    removal.pass(interruption);
                },
                deathOfPart);
        listener = bound.sockets().isEmpty()
                ? null
                : Listener.start(
                        bound,
                        options.security().tls(),
                        dispatcher,
                        clients,
                        counters,
                        log,
                        () -> Math.min(settings.connectionsMax.value(), heapConnectionsMax),
                        new Listener.Deaths(deathOfPart, deathOfConnection),
                        memory,
                        nanoTime);
        housekeeper = background("housekeeping", this::keepHouse);
        counter = background("count", this::countAll);
        log.info(Log.Component.NETWORK, "main", "Waiting for connections", summary(store));
        warn(announced, bound);
    }

    private RawDocument summary(Store store) {
        BsonWriter summary = new BsonWriter().put("address", address);
        String setName = replicaSet.name();
        if (setName != null) {
            summary.put("replicaSet", setName);
        }
        Path directory = options.directory();
        if (directory != null) {
            summary.put("dbPath", directory.toString());
        }
        Tls tls = options.security().tls();
        return summary.put("engine", store.isPersistent() ? "rocksdb" : "memory")
                .put("tls", tls == null ? "disabled" : tls.mode().name())
                .put("accessControl", access.isEnabled())
                .finish();
    }

    /** What works, and is probably not what somebody wants. */
    private void warn(AnnouncedAddress announced, Listener.Bound bound) {
        if (!announced.isProven()) {
            log.startupWarning("The certificate is not valid for " + announced.hostAndPort()
                    + ", where clients are told to connect; those that check it will refuse. Advertise a name"
                    + " that it holds");
        }
        if (access.isEnabled() && !users.exist()) {
            log.startupWarning("Access control is on and there is no user yet: a client on this machine may create the"
                    + " first one in the database admin, with createUser, and nothing else is allowed");
        }
        if (!access.isEnabled()
                && bound.sockets().stream()
                        .anyMatch(each -> !each.getInetAddress().isLoopbackAddress())) {
            log.startupWarning("Access control is off, and clients on other machines can connect: whoever reaches this"
                    + " server can read and change everything");
        }
    }

    private Thread background(String name, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .name("semel-" + name)
                .uncaughtExceptionHandler(deathOfPart)
                .start(work);
    }

    private Commands.Parts parts(ProcessInfo process, Usage usage) {
        Ddl ddl = new Ddl(catalog, this::lockTimeout);
        ddl.onGone((gone, why) -> cursors.killAll(gone::equals, why));
        Planner planner = new Planner(queryMemory());
        Scopes scopes = new Scopes(transactions, catalog, clock, ThreadLocalRandom::current, queryMemory());
        ObjectIds ids = new ObjectIds(clock, random);
        Targets targets = new Targets(catalog, planner, scopes, ids);
        Statements statements = new Statements(catalog, targets, new NewDocuments(ids, clock));
        Writes writes = new Writes(
                transactions,
                statements,
                () -> Atomicity.parse(settings.writeAtomicity.value()),
                call -> LockPolicy.of(LockPolicy.Kind.STATEMENT, call.client().lockTimeout()),
                new Gate(transactionTable),
                tokenTable);
        return new Commands.Parts(
                process,
                new ObjectId((int) clock.instant().getEpochSecond(), random.nextLong()),
                settings,
                memory,
                failPoints,
                log,
                counters,
                usage,
                clients,
                new RunningOperations(clients, sessionTransactions, transactions, catalog, clock, address),
                sessions,
                sessionTransactions,
                connectionTransactions,
                replicaSet,
                transactions,
                catalog,
                ddl,
                new IndexBuilds(ddl),
                new StorageSizes(transactions.store()),
                planner,
                scopes,
                new Reads(transactions, catalog, planner),
                oplog,
                targets,
                statements,
                writes,
                new Outputs(
                        new Replacing(new Substitutes(ddl, UUID::randomUUID), writes),
                        new Merging(catalog, transactions, writes, ids)),
                transactionTable,
                new Inquiry(transactions, transactionTable),
                tokenTable,
                new TokenInquiry(transactions, tokenTable),
                cursors,
                options.compressors(),
                this::environment,
                users,
                new Passwords(this::iterations, random::nextBytes),
                access,
                UUID::randomUUID,
                clock,
                this::shutDown);
    }

    private void ensure(Security.NewUser user) {
        if (users.find(new UserName(user.name(), "admin")) != null) {
            return;
        }
        BsonWriter command = new BsonWriter().put("createUser", user.name()).put("pwd", user.password());
        command.startArray("roles");
        user.roles().forEach(command::add);
        RawDocument create = command.end().put("$db", "admin").finish();
        try (LocalConnection connection = connect()) {
            RawDocument reply = connection.run(create);
            if (reply.get("errmsg") instanceof Value.Str(var why)) {
                throw new CommandException(ErrorCode.BadValue, "the user '%s' cannot be made: %s", user.name(), why);
            }
        }
    }

    private int iterations(ScramHash hash) {
        Setting<Long> count = switch (hash) {
            case SHA_1 -> settings.scramSha1Iterations;
            case SHA_256 -> settings.scramSha256Iterations;
        };
        return count.value().intValue();
    }

    private Duration recordRetention() {
        return Duration.ofSeconds(settings.recordRetentionSecs.value());
    }

    private TransactionOptions transactionOptions() {
        MemorySettings limits = settings.memory;
        return new TransactionOptions(
                limits.transactionBytesMax.value(),
                limits.transactionBytesTotalMax.value(),
                SNAPSHOT_WINDOW,
                // What old snapshots keep is on the heap then, and collecting it costs more than the commits
                // themselves.
                options.directory() == null ? MEMORY_SNAPSHOTS_MAX : SNAPSHOTS_MAX,
                limits.lockBytesMax.value(),
                limits.conflictBytesMax.value(),
                limits.inMemoryBytesMax.value(),
                limits.snapshotBytesMax.value());
    }

    private QueryMemory queryMemory() {
        MemorySettings limits = settings.memory;
        return new QueryMemory(
                memory.queries(),
                limits.queryBytesMax::value,
                limits.queryDiskUseBytesMax::value,
                limits.queryDiskUseBytesMax.name());
    }

    private Duration lockTimeout() {
        return Duration.ofMillis(settings.lockTimeoutMs.value());
    }

    private void setParameter(String name, String value) {
        Setting<?> setting = settings.find(name);
        if (setting == null) {
            throw new CommandException(ErrorCode.InvalidOptions, "there is no server parameter '%s'", name);
        }
        setting.set(Value.of(value), Setting.When.AT_START);
    }

    private Store open() throws IOException {
        Path directory = options.directory();
        if (directory == null) {
            return new MemoryStore();
        }
        long physical = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 2 * Runtime.getRuntime().maxMemory();
        try {
            return RocksStore.open(
                    directory,
                    RocksOptions.forMemory(physical, Runtime.getRuntime().maxMemory()));
        } catch (EngineException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private OplogHistory history(OplogWriter writer) {
        return new OplogHistory(
                transactions,
                writer,
                () -> settings.oplogMegabytesMax.value() << 20,
                () -> Duration.ofSeconds((long) (settings.oplogHoursMin.value() * 3600)),
                clock);
    }

    private Catalog openCatalog(Oplog changes) {
        try {
            return Catalog.open(transactions, new StoredFilters(clock, random), UUID::randomUUID, changes);
        } catch (RuntimeException e) {
            transactions.close();
            throw e;
        }
    }

    private CursorLimits cursorLimits() {
        return new CursorLimits(
                Duration.ofMillis(settings.cursorTimeoutMs.value()),
                Duration.ofSeconds(settings.cursorSnapshotAgeMaxSecs.value()));
    }

    private Environment environment() {
        return new Environment(clock.millis(), new Value.Timestamp(transactions.visibleTime()), random);
    }

    private void sessionEnded(SessionId id, boolean killed) {
        cursors.endSession(id);
        sessionTransactions.end(id);
        connectionTransactions.end(id, killed);
        if (killed) {
            for (Call each : clients.running()) {
                if (each.session() != null && each.session().id().equals(id)) {
                    each.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
                }
            }
        }
    }

    private void keepHouse() {
        try {
            while (!housekeepingEnds.await(1, TimeUnit.SECONDS)) {
                try {
                    cursors.expire();
                    sessionTransactions.reap();
                    connectionTransactions.reap();
                    sessions.expire();
                    if (listener != null) {
                        listener.lookAtClients();
                    }
                    if (oplog != null) {
                        oplog.shorten();
                    }
                } catch (RuntimeException | StackOverflowError e) {
                    log.error(Log.Component.CONTROL, "housekeeping", "Periodic work failed; it goes on", e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends soon unless the server was killed; then it reads everything once. */
    private void countAll() {
        try {
            tokenTable.count(counting);
            catalog.countAll(counting);
        } catch (RuntimeException e) {
            // What cannot be read is counted when somebody asks, and told to him; at the end the next start will count.
            if (!counting.isKilled()) {
                log.error(Log.Component.STORAGE, "count", "Counting the collections failed", e);
            }
        }
    }

    private final class Role implements Dispatcher.Node {
        @Override
        public boolean isReplicaSetMember() {
            return replicaSet.name() != null;
        }

        @Override
        public boolean isWritablePrimary() {
            return replicaSet.isWritablePrimary();
        }

        @Override
        public Concerns defaultConcerns() {
            return Concerns.DEFAULT;
        }

        @Override
        public boolean requiresApiVersion() {
            return settings.requireApiVersion.value();
        }

        @Override
        public boolean acceptsApiVersion2() {
            return settings.acceptApiVersion2.value();
        }
    }

    // ---- for whoever embeds it

    /** For any MongoDB driver. */
    public String connectionString() {
        List<String> settings = new ArrayList<>();
        String name = replicaSet.name();
        if (name != null) {
            settings.add("replicaSet=" + name);
        }
        if (options.security().tls() != null) {
            settings.add("tls=true");
        }
        return "mongodb://" + address + "/" + (settings.isEmpty() ? "" : "?" + String.join("&", settings));
    }

    /** As {@code host:port}, as clients are told. */
    public String address() {
        return address;
    }

    /** A connection inside this process, which may do everything: nothing can be kept from the program it is in. */
    public LocalConnection connect() {
        return new LocalConnection(clients, Client.Origin.PROCESS, dispatcher);
    }

    /** What clients can ask for. */
    CommandTable commands() {
        return dispatcher.commands();
    }

    /** The same for a client that access control holds for as for one on this machine. */
    LocalConnection connectAsClient() {
        return new LocalConnection(clients, Client.Origin.MACHINE, dispatcher);
    }

    /** Returns when the server has ended, by {@link #close} or by a client's {@code shutdown}. */
    public void awaitEnd() throws InterruptedException {
        closed.await();
    }

    // ---- the end

    private void shutDown() {
        log.info(Log.Component.CONTROL, "main", "A client shuts the server down", RawDocument.EMPTY);
        closeSoon();
    }

    private void closeSoon() {
        Thread.ofPlatform().name("semel-shutdown").start(this::close);
    }

    /**
     * The one place that decides that the server must not go on: the log cannot be written, a part of the server has died,
     * or the memory is full, after which anything may be half done. Told once.
     */
    private void fatal(Throwable cause) {
        if (!isFailing.compareAndSet(false, true)) {
            return;
        }
        try {
            if (!(cause instanceof VirtualMachineError)) {
                log.error(Log.Component.CONTROL, "main", "The server cannot go on", cause);
            }
        } finally {
            var told = options.fatal();
            if (told == null) {
                closeSoon();
            } else {
                told.accept(cause);
            }
        }
    }

    private void partDied(Thread thread, Throwable cause) {
        fatal(cause);
    }

    /** A defect ends one connection; that there is no memory, or that the virtual machine is broken, is everybody's. */
    private void connectionDied(Thread thread, Throwable cause) {
        if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError)) {
            fatal(cause);
        } else {
            log.error(Log.Component.NETWORK, thread.getName(), "A connection ended by a defect", cause);
        }
    }

    /** Lets running commands end, tells their clients, completes what was committed. A second call waits for the first. */
    @Override
    public void close() {
        if (!isClosing.compareAndSet(false, true)) {
            uninterrupted(closed::await);
            return;
        }
        try {
            if (listener != null) {
                listener.stopAccepting();
            }
            dispatcher.close();
            if (listener != null) {
                listener.close();
            }
            housekeepingEnds.countDown();
            ttlMonitor.close();
            recordRemoval.close();
            uninterrupted(housekeeper::join);
            counting.kill(new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown"));
            uninterrupted(counter::join);
            tokenTable.close();
            cursors.close();
            catalog.close();
        } finally {
            transactions.close();
            closed.countDown();
        }
    }

    private interface Wait {
        void end() throws InterruptedException;
    }

    /** An end half way would leave a lock or a thread behind, so an interrupt waits its turn. */
    private static void uninterrupted(Wait wait) {
        boolean interrupted = false;
        while (true) {
            try {
                wait.end();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
