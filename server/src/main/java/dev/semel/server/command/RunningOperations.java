package dev.semel.server.command;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.LockView;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.TransactionReport;
import dev.semel.store.PendingRequest;
import dev.semel.store.Transactions;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Describes what runs, one document per operation, for {@code currentOp} and {@code $currentOp}. */
public final class RunningOperations {
    private static final Set<String> NAMED_BY_THEMSELVES = Set.of("insert", "update", "getMore", "killCursors");

    private final Clients clients;
    private final SessionTransactions sessionTransactions;
    private final Transactions transactions;
    private final Catalog catalog;
    private final InstantSource clock;
    private final String host;

    /** The host as {@code host:port}. */
    public RunningOperations(
            Clients clients,
            SessionTransactions sessionTransactions,
            Transactions transactions,
            Catalog catalog,
            InstantSource clock,
            String host) {
        this.clients = clients;
        this.sessionTransactions = sessionTransactions;
        this.transactions = transactions;
        this.catalog = catalog;
        this.clock = clock;
        this.host = host;
    }

    /**
     * Those that run now; on request also the connections that wait for their client, and the sessions whose transaction
     * does.
     */
    public List<RawDocument> describe(boolean idleConnections, boolean idleSessions, int commandBytesMax) {
        Map<SessionId, TransactionReport> open = new HashMap<>();
        sessionTransactions.reports().forEach(each -> open.put(each.session(), each));
        Instant now = clock.instant();
        List<RawDocument> operations = new ArrayList<>();
        List<PendingRequest> waits = transactions.pendingRequests();
        for (Client client : clients.all()) {
            Call call = client.current();
            if (call != null || idleConnections) {
                BsonWriter out = new BsonWriter()
                        .put("type", "op")
                        .put("host", host)
                        .put("desc", client.description())
                        .put("connectionId", client.connectionId())
                        .put("client", client.remote());
                if (!client.appName().isEmpty()) {
                    out.put("appName", client.appName());
                }
                RawDocument metadata = client.metadata();
                if (metadata != null) {
                    out.put("clientMetadata", metadata);
                }
                out.put("active", call != null).put("currentOpTime", DateTimeFormatter.ISO_INSTANT.format(now));
                if (call != null) {
                    describe(call, commandBytesMax, out);
                    describeWait(call, waits, out);
                    if (call.isInSessionTransaction() && call.session() != null) {
                        TransactionReport transaction =
                                open.remove(call.session().id());
                        if (transaction != null) {
                            describe(transaction, out);
                        }
                    }
                }
                operations.add(out.finish());
            }
        }
        if (idleSessions) {
            open.values().forEach(each -> operations.add(idle(each, now)));
        }
        return operations;
    }

    /** Whether {@code fsync} has locked the server. */
    public boolean isLocked() {
        return transactions.barrier().isClosed();
    }

    private RawDocument idle(TransactionReport transaction, Instant now) {
        BsonWriter out = new BsonWriter()
                .put("type", "idleSession")
                .put("host", host)
                .put("desc", "inactive transaction")
                .put("lsid", transaction.session().toDocument())
                .put("active", false)
                .put("currentOpTime", DateTimeFormatter.ISO_INSTANT.format(now));
        describe(transaction, out);
        return out.finish();
    }

    private static void describe(TransactionReport transaction, BsonWriter out) {
        long open = TimeUnit.NANOSECONDS.toMicros(transaction.open().toNanos());
        long active = TimeUnit.NANOSECONDS.toMicros(transaction.active().toNanos());
        out.startDocument("transaction")
                .startDocument("parameters")
                .put("txnNumber", transaction.txnNumber())
                .put("autocommit", false)
                .end()
                .put("readTimestamp", new Value.Timestamp(transaction.readTime()))
                .put("startWallClockTime", DateTimeFormatter.ISO_INSTANT.format(transaction.begun()))
                .put("timeOpenMicros", open)
                .put("timeActiveMicros", active)
                .put("timeInactiveMicros", Math.max(0, open - active))
                .put("expiryTime", DateTimeFormatter.ISO_INSTANT.format(transaction.expires()))
                .end();
    }

    private static void describe(Call call, int commandBytesMax, BsonWriter out) {
        long nanos = call.elapsedNanos();
        out.put("opid", call.operationId())
                .put("secs_running", TimeUnit.NANOSECONDS.toSeconds(nanos))
                .put("microsecs_running", TimeUnit.NANOSECONDS.toMicros(nanos))
                .put("op", kind(call))
                .put("ns", namespace(call))
                .put("command", Excerpt.of(call.shown(), commandBytesMax));
        if (call.session() != null) {
            out.put("lsid", call.session().id().toDocument());
        }
        String plan = call.planSummary();
        if (!plan.isEmpty()) {
            out.put("planSummary", plan);
        }
        Value comment = call.comment();
        if (comment != null && Excerpt.isShort(comment)) {
            out.put("comment", comment);
        }
        out.put("killPending", call.isKilled());
    }

    /** What it waits for, as {@code showPendingLockRequests} has it. */
    private void describeWait(Call call, List<PendingRequest> waits, BsonWriter out) {
        out.put("rootTxnid", call.rootTxnId());
        PendingRequest wait = waits.stream()
                .filter(each -> each.requester() == call.rootTxnId())
                .findFirst()
                .orElse(null);
        out.put("waitingForLock", wait != null || transactions.barrier().holdsBack(call.interruption()));
        if (wait != null) {
            out.startDocument("lockRequest");
            LockView.of(catalog).write(out, wait.locked());
            if (!wait.blockers().isEmpty()) {
                out.put("blockingTxnid", wait.blockers().getFirst().longValue());
            }
            out.put("started", new Value.Date(wait.since().toEpochMilli())).end();
        }
    }

    static String kind(Call call) {
        String name = call.spec().name();
        return switch (name) {
            case "find" -> "query";
            case "delete" -> "remove";
            default -> NAMED_BY_THEMSELVES.contains(name) ? name.toLowerCase(Locale.ROOT) : "command";
        };
    }

    static String namespace(Call call) {
        Namespace namespace = call.namespace();
        return namespace == null ? call.database() + ".$cmd" : namespace.toString();
    }
}
