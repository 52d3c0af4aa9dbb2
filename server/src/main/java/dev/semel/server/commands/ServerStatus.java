package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Clients;
import dev.semel.server.command.Command;
import dev.semel.server.command.CommandTable;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.cursor.CursorCounts;
import dev.semel.server.once.TokenTable;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.server.session.TransactionCounts;
import dev.semel.server.settings.Settings;
import dev.semel.server.status.Counters;
import dev.semel.server.status.ProcessInfo;
import dev.semel.store.Statistics;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** {@code serverStatus}: the server's figures, section by section; a section set to 0 is left out. */
final class ServerStatus implements Command<ServerStatus.Args> {
    record Args(Set<String> withoutSections) {}

    /** Not from the clock, which may be set. */
    private final long startedNanos;

    private final ProcessInfo process;
    private final Settings settings;
    private final LongSupplier connectionsMax;
    private final Clients clients;
    private final Sessions sessions;
    private final SessionTransactions sessionTransactions;
    private final ReplicaSet replicaSet;
    private final Transactions transactions;
    private final TransactionTable transactionTable;
    private final TokenTable tokenTable;
    private final Counters counters;
    private final Supplier<CommandTable> commands;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Supplier<CursorCounts> cursors;
    private final Map<String, Consumer<BsonWriter>> sections = new LinkedHashMap<>();

    /** What others add: a section each, by name. */
    ServerStatus(
            ProcessInfo process,
            Settings settings,
            LongSupplier connectionsMax,
            Clients clients,
            Sessions sessions,
            SessionTransactions sessionTransactions,
            ReplicaSet replicaSet,
            Transactions transactions,
            TransactionTable transactionTable,
            TokenTable tokenTable,
            Counters counters,
            Supplier<CommandTable> commands,
            InstantSource clock,
            LongSupplier nanoTime,
            Supplier<CursorCounts> cursors,
            Map<String, Consumer<BsonWriter>> more) {
        this.process = process;
        this.settings = settings;
        this.connectionsMax = connectionsMax;
        this.clients = clients;
        this.sessions = sessions;
        this.sessionTransactions = sessionTransactions;
        this.replicaSet = replicaSet;
        this.transactions = transactions;
        this.transactionTable = transactionTable;
        this.tokenTable = tokenTable;
        this.counters = counters;
        this.commands = commands;
        this.clock = clock;
        this.nanoTime = nanoTime;
        startedNanos = nanoTime.getAsLong();
        this.cursors = cursors;
        sections.put("asserts", this::asserts);
        sections.put("connections", this::connections);
        sections.put("extra_info", ServerStatus::extraInfo);
        sections.put("globalLock", this::globalLock);
        sections.put("logicalSessionRecordCache", this::logicalSessions);
        sections.put("mem", this::memory);
        sections.put("metrics", this::metrics);
        sections.put("network", this::network);
        sections.put("opcounters", this::operations);
        sections.put("opcountersRepl", ServerStatus::replicatedOperations);
        if (replicaSet.name() != null) {
            sections.put("repl", this::replication);
        }
        sections.put("storageEngine", this::storageEngine);
        sections.put("transactions", this::transactions);
        sections.put("semel", this::semel);
        sections.putAll(more);
    }

    @Override
    public Spec spec() {
        return Spec.of("serverStatus").needs(Rights.onCluster(Action.serverStatus));
    }

    @Override
    public Args parse(Arguments in) {
        Set<String> without = new HashSet<>();
        for (String section : sections.keySet()) {
            boolean isWanted = in.optional(section) instanceof Value.Doc || in.bool(section, true);
            if (!isWanted) {
                without.add(section);
            }
        }
        // Which sections there are differs from version to version, and tools ask for those that they know.
        in.ignoreOthers();
        return new Args(without);
    }

    @Override
    public Reply run(Args args, Call call) {
        long uptimeMs = uptime().toMillis();
        BsonWriter reply = new BsonWriter(8192)
                .put("host", process.host())
                .put("version", ProcessInfo.COMPATIBLE_VERSION)
                .put("semelVersion", ProcessInfo.version())
                .put("process", "semel")
                .put("pid", process.processId())
                .put("uptime", uptimeMs / 1000.0)
                .put("uptimeMillis", uptimeMs)
                .put("uptimeEstimate", uptimeMs / 1000)
                .put("localTime", new Value.Date(clock.millis()));
        sections.forEach((name, section) -> {
            if (!args.withoutSections().contains(name)) {
                reply.startDocument(name);
                section.accept(reply);
                reply.end();
            }
        });
        return Reply.of(reply);
    }

    private Duration uptime() {
        return Duration.ofNanos(nanoTime.getAsLong() - startedNanos);
    }

    private void asserts(BsonWriter out) {
        out.put("regular", counters.unexpectedErrors.sum())
                .put("warning", 0)
                .put("msg", 0)
                .put("user", counters.clientErrors.sum())
                .put("tripwire", 0)
                .put("rollovers", 0);
    }

    private void connections(BsonWriter out) {
        int current = clients.count();
        out.put("current", current)
                .put("available", Math.max(0, connectionsMax.getAsLong() - current))
                .put("totalCreated", counters.connectionsCreated.sum())
                .put("rejected", counters.connectionsRejected.sum())
                .put("active", clients.running().size())
                .put("threaded", Math.max(0, current - counters.connectionsShared.intValue()));
    }

    private void globalLock(BsonWriter out) {
        int waiting = transactions.pendingRequests().size();
        int running = clients.running().size();
        out.put("totalTime", TimeUnit.NANOSECONDS.toMicros(uptime().toNanos()));
        out.startDocument("currentQueue")
                .put("total", waiting)
                .put("readers", 0)
                .put("writers", waiting)
                .end();
        out.startDocument("activeClients")
                .put("total", running)
                .put("readers", 0)
                .put("writers", 0)
                .end();
    }

    private static void extraInfo(BsonWriter out) {
        out.put("note", "fields vary by platform").put("page_faults", 0L);
    }

    /** Those that came from another member: there is none. */
    private static void replicatedOperations(BsonWriter out) {
        for (String kind : List.of("insert", "query", "update", "delete", "getmore", "command")) {
            out.put(kind, 0L);
        }
    }

    private void logicalSessions(BsonWriter out) {
        out.put("activeSessionsCount", sessions.count());
    }

    private void memory(BsonWriter out) {
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        var other = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage();
        out.put("bits", 64)
                .put("resident", (int) ((heap.getCommitted() + other.getCommitted()) >> 20))
                .put("virtual", (int) ((Math.max(heap.getMax(), heap.getCommitted()) + other.getCommitted()) >> 20))
                .put("supported", true)
                .put("heapUsed", (int) (heap.getUsed() >> 20));
    }

    private void metrics(BsonWriter out) {
        out.startDocument("commands");
        for (CommandTable.Entry each : commands.get().entries()) {
            if (each.total() > 0) {
                out.startDocument(each.spec().name())
                        .put("failed", each.failed())
                        .put("total", each.total())
                        .end();
            }
        }
        out.end();
        CursorCounts open = cursors.get();
        out.startDocument("cursor")
                .put("timedOut", open.timedOut())
                .put("totalOpened", open.opened())
                .startDocument("open")
                .put("noTimeout", open.withoutTimeout())
                .put("pinned", open.inUse())
                .put("total", open.open())
                .end()
                .end();
        out.startDocument("document")
                .put("deleted", counters.documentsDeleted.sum())
                .put("inserted", counters.documentsInserted.sum())
                .put("returned", counters.documentsReturned.sum())
                .put("updated", counters.documentsUpdated.sum())
                .end();
        out.startDocument("queryExecutor")
                .put("scanned", counters.keysExamined.sum())
                .put("scannedObjects", counters.documentsExamined.sum())
                .end();
    }

    private void network(BsonWriter out) {
        put(out, "bytesIn", counters.bytesIn);
        put(out, "bytesOut", counters.bytesOut);
        put(out, "numRequests", counters.requests);
    }

    private void operations(BsonWriter out) {
        put(out, "insert", counters.inserts);
        put(out, "query", counters.queries);
        put(out, "update", counters.updates);
        put(out, "delete", counters.deletes);
        put(out, "getmore", counters.getMores);
        put(out, "command", counters.commands);
    }

    private static void put(BsonWriter out, String name, LongAdder counter) {
        out.put(name, counter.sum());
    }

    private void replication(BsonWriter out) {
        boolean isPrimary = replicaSet.describe(out);
        out.put("isWritablePrimary", isPrimary);
    }

    private void storageEngine(BsonWriter out) {
        out.put("name", process.storageEngine())
                .put("supportsCommittedReads", true)
                .put("readOnly", false)
                .put("persistent", process.isPersistent());
    }

    private void transactions(BsonWriter out) {
        TransactionCounts now = sessionTransactions.counts();
        out.put("currentActive", now.active())
                .put("currentInactive", Math.max(0, now.open() - now.active()))
                .put("currentOpen", now.open())
                .put("totalAborted", now.aborted())
                .put("totalCommitted", now.committed())
                .put("totalStarted", now.started())
                .put("retriedCommandsCount", counters.retriedCommands.sum())
                .put("retriedStatementsCount", counters.retriedStatements.sum())
                .put("transactionsCollectionWriteCount", transactionTable.written());
    }

    /** What MongoDB has no words for. */
    private void semel(BsonWriter out) {
        Statistics now = transactions.statistics();
        out.put("writeConflicts", now.writeConflicts())
                .put("onceBytes", tokenTable.bytes())
                .put("uncommittedBytes", now.writtenBytes())
                .put("retainedSnapshots", now.retainedSnapshots())
                .put("writeAtomicity", settings.writeAtomicity.value())
                .startDocument("store");
        transactions.store().figures().forEach(out::put);
        out.end();
    }
}
