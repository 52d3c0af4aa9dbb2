package dev.semel.server.command;

import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.server.status.Counters;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorCodes;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.LargeValues;
import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.SharedThread;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs one command: finds it, reads the fields that every command has, lets it parse its own and refuses the rest, runs
 * it, waits until the answer may leave, and completes the answer. The only place where an exception becomes a reply.
 */
public final class Dispatcher {
    private static final ErrorCode MISSING_DATABASE = ErrorCode.location(40571);

    /** Names must be shorter. */
    private static final int DATABASE_BYTES_LIMIT = 64;

    private static final String FORBIDDEN = "/\\. \"$*<>:|?\0";

    private final CommandTable commands;
    private final Node node;
    private final Access access;
    private final Sessions sessions;
    private final Clients clients;
    private final ClusterTimes times;
    private final Acknowledgement acknowledgement;
    private final Transactions transactions;
    private final Enlistment enlistment;
    private final FailPoints failPoints;
    private final Faults faults;
    private final Counters counters;
    private final Operations operations;
    private final ServerMemory memory;
    private final LongSupplier nanoTime;
    private final AtomicLong operationIds = new AtomicLong();
    private volatile boolean isClosed;

    /** What the server as a whole demands of commands; settings that may change while it runs. */
    public interface Node {
        /** Whether this node is a member of a replica set: only there do replies carry cluster times. */
        boolean isReplicaSetMember();

        boolean isWritablePrimary();

        /** Whether clients can read here at all. */
        boolean isReadable();

        /** Adds the field {@code topologyVersion}: which state of affairs this is. */
        void addTopologyVersion(BsonWriter reply);

        /**
         * Returns when it is certain that no other member had become primary by the time of the call; fails if one has, or if the
         * operation is to stop.
         */
        void confirmPrimary(Interruption interruption);

        /** A client has seen this cluster time, and nothing that is visible here is as late. Returns at once. */
        void seen(long clusterTime);

        int dataBearingMembers();

        /** Whether that many members have everything that is applied here, within this time. */
        boolean awaitMembers(int members, long nanosMax, Interruption interruption);

        /** Whether the configuration of the set has a write concern of this name. */
        boolean hasMode(String mode);

        /** The same as {@link #awaitMembers} for such a write concern. */
        boolean awaitMode(String mode, long nanosMax, Interruption interruption);

        /** What applies to commands that name no concern. */
        Concerns defaultConcerns();

        boolean requiresApiVersion();

        boolean acceptsApiVersion2();
    }

    /** Called after every command: the log of slow operations, counts per collection. */
    public interface Operations {
        /** The command is about to be parsed. */
        void begins(Call call);

        /** The reply is about to leave; {@code failure} is null if it went well. */
        void ended(Call call, RawDocument reply, @Nullable CommandException failure);

        /** A defect of the server itself, which the client gets as an internal error. */
        void broken(Client client, String command, Throwable defect);
    }

    public Dispatcher(
            CommandTable commands,
            Node node,
            Access access,
            Sessions sessions,
            SessionTransactions sessionTransactions,
            ConnectionTransactions connectionTransactions,
            Clients clients,
            Transactions transactions,
            FailPoints failPoints,
            Counters counters,
            Operations operations,
            ServerMemory memory,
            LongSupplier clusterTimeAheadSecsMax,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.commands = commands;
        this.node = node;
        this.access = access;
        this.sessions = sessions;
        this.clients = clients;
        this.times = new ClusterTimes(transactions, node, clusterTimeAheadSecsMax, clock);
        this.transactions = transactions;
        this.acknowledgement = new Acknowledgement(node, transactions);
        this.enlistment = new Enlistment(sessions, sessionTransactions, connectionTransactions);
        this.failPoints = failPoints;
        this.faults = new Faults(failPoints);
        this.counters = counters;
        this.operations = operations;
        this.memory = memory;
        this.nanoTime = nanoTime;
    }

    public CommandTable commands() {
        return commands;
    }

    /** From now on every command is refused, and those that run are stopped. */
    public void close() {
        isClosed = true;
        clients.running().forEach(call -> call.kill(atShutdown()));
    }

    private static CommandException atShutdown() {
        return new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown");
    }

    /** Whether a command of this kind may be begun where it must not wait. */
    public boolean isRestartable(RawDocument command) {
        ElementCursor first = command.cursor();
        Spec spec = first.next() ? commands.restartable(first.nameText()) : null;
        // A fail point counts what it hits.
        return spec != null && !failPoints.areSet() && !(spec.is(Spec.Trait.WRITES) && transactions.areShared());
    }

    /** Whether what has been seen up to this cluster time cannot be lost. */
    public boolean isDurable(long clusterTime) {
        return Long.compareUnsigned(transactions.durableTime(), clusterTime) >= 0;
    }

    /** Applies what commands have committed on this thread, and perhaps others; whether there was something. */
    public boolean applyCommits() {
        return transactions.applyLeft();
    }

    /** Returns at once; {@code wake} is called once, from any thread, when that is durable or never will be. */
    public void whenDurable(long clusterTime, Runnable wake) {
        transactions.whenDurable(clusterTime, wake);
    }

    /** Runs it and answers. Whatever happens is an answer, but for what ends the server: no memory left, a virtual machine that is broken. */
    public Answer run(Client client, Request request) {
        return start(client, request).finish();
    }

    /**
     * Runs it up to where its answer has to wait until what it has written is applied, and what it has seen is durable. On a thread that
     * serves many, this may throw {@link MustWait} for one that {@link #isRestartable}, which leaves no trace then.
     */
    public Execution start(Client client, Request request) {
        counters.requests.increment();
        Execution begun = new Execution(client, request);
        boolean hasRun = false;
        try {
            begun.run();
            hasRun = true;
        } finally {
            if (!hasRun) {
                client.running(null);
            }
        }
        return begun;
    }

    /** A command that has been run and is to be answered. */
    public final class Execution {
        private final Client client;
        private final Request request;
        private String name = "";
        private CommandTable.@Nullable Entry entry;
        private @Nullable Call call;
        private @Nullable Reply reply;
        private @Nullable CommandException failure;
        private long durableTime;

        private Execution(Client client, Request request) {
            this.client = client;
            this.request = request;
        }

        private void run() {
            try {
                ElementCursor first = request.body().cursor();
                Text text = first.next() ? first.nameText() : Text.of("");
                name = text.toString();
                CommandTable.Entry found = commands.find(text);
                entry = found;
                Call made = call(found.spec(), client, request);
                call = made;
                reply = execute(found.command(), made);
            } catch (MustWait e) {
                giveUp();
                throw e;
            } catch (CommandException e) {
                failure = e;
            } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
                failure = broken(client, name, e);
            }
            if (!isCommitting()) {
                settle();
            }
        }

        private void giveUp() {
            counters.requests.decrement();
            Call begun = call;
            if (begun != null) {
                begun.giveUp();
            }
        }

        /** Whether it has written what others do not see yet. */
        public boolean isCommitting() {
            Call run = call;
            return run != null && run.isCommitting();
        }

        /** Waits until that is applied. */
        public void awaitCommit() {
            Call run = call;
            if (run == null || !run.isCommitting()) {
                return;
            }
            try {
                run.awaitCommit();
            } catch (CommandException e) {
                failure = e;
            } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
                failure = broken(client, name, e);
            } finally {
                enlistment.committed(run);
            }
            settle();
        }

        private void settle() {
            Call run = call;
            durableTime = run == null ? 0 : acknowledgement.durableTime(run);
        }

        /** The cluster time that has to be durable first, or {@link #finish} waits; 0 for none. Not while it {@link #isCommitting}. */
        public long durableTime() {
            return durableTime;
        }

        /** Once. */
        public Answer finish() {
            SharedThread.goThrough();
            try {
                awaitCommit();
                return ended(answer());
            } finally {
                client.running(null);
            }
        }

        private Answer answer() {
            Reply made = reply;
            Call run = call;
            if (made != null && run != null && failure == null) {
                try {
                    return answered(made, run, durableTime);
                } catch (CommandException e) {
                    failure = e;
                } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
                    failure = broken(client, name, e);
                }
            }
            return failed(run, Objects.requireNonNull(failure), durableTime);
        }

        private Answer ended(Answer made) {
            Answer answer = made;
            Call run = call;
            CommandException why = failure;
            if (run != null) {
                run.partMemory().release();
                answer = faults.after(run, answer, e -> failed(run, e, durableTime));
                answer = held(run, answer, durableTime);
            }
            CommandTable.Entry counted = entry;
            if (counted != null) {
                counted.count(why == null);
            }
            if (why != null) {
                (why.code().equals(ErrorCode.InternalError) ? counters.unexpectedErrors : counters.clientErrors)
                        .increment();
            }
            if (run != null) {
                operations.ended(run, answer.reply(), why);
            }
            return answer;
        }
    }

    private CommandException broken(Client client, String name, Throwable cause) {
        operations.broken(client, name, cause);
        return broken(cause);
    }

    private static CommandException broken(Throwable cause) {
        return cause instanceof StackOverflowError
                ? new CommandException(ErrorCode.Overflow, "the command nests too deeply to be run")
                : new CommandException(ErrorCode.InternalError, "the server failed: %s", String.valueOf(cause));
    }

    // ---- before

    private Call call(Spec spec, Client client, Request request) {
        RawDocument body = request.body();
        String database = request.database() == null ? database(body) : request.database();
        Arguments in = new Arguments(spec.name(), database, body, request.sequences());
        access.refresh(client);
        Envelope envelope = Envelope.parse(in, spec, node.defaultConcerns(), client.owner());
        Call call = new Call(
                operationIds.incrementAndGet(),
                client,
                spec,
                in,
                envelope,
                counters,
                failPoints,
                request.mayStream(),
                memory,
                nanoTime);
        client.running(call);
        return call;
    }

    private static String database(RawDocument body) {
        String database = switch (body.get("$db")) {
            case null -> throw new CommandException(MISSING_DATABASE, "OP_MSG requests require a $db argument");
            case Value.Str(Text text) -> text.toString();
            case Value other ->
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "BSON field '$db' is the wrong type '%s', expected type 'string'",
                        other.type().alias());
        };
        checkDatabase(database);
        return database;
    }

    /** Refuses names that MongoDB refuses, on any of its systems: a database must be movable. */
    public static void checkDatabase(String database) {
        if (database.isEmpty() || !isShort(database) || (hasForbidden(database) && !database.equals("$external"))) {
            throw new CommandException(ErrorCode.InvalidNamespace, "Invalid database name: '%s'", database);
        }
    }

    private static boolean isShort(String database) {
        // A character takes up to three bytes, and hardly any name needs to be counted.
        return database.length() < DATABASE_BYTES_LIMIT / 3
                || database.getBytes(StandardCharsets.UTF_8).length < DATABASE_BYTES_LIMIT;
    }

    private static boolean hasForbidden(String database) {
        for (int i = 0; i < database.length(); i++) {
            if (FORBIDDEN.indexOf(database.charAt(i)) >= 0) {
                return true;
            }
        }
        return false;
    }

    private <A> Reply execute(Command<A> command, Call call) {
        Spec spec = call.spec();
        Arguments in = call.arguments();
        if (Acknowledgement.waitsForMore(call)) {
            MustWait.check();
        }
        access.admit(call);
        use(call);
        check(spec, call);
        // What a fail point stops has not even been read: neither is it refused for what is wrong with it, nor has it
        // begun
        // a transaction or is an error that ends one.
        faults.before(call);
        operations.begins(call);
        A arguments = command.parse(in);
        in.refuseUnknown();
        if (access.isEnabled()) {
            call.demanded(command.demands(arguments, call));
            access.check(call);
        }
        if (!spec.is(Spec.Trait.COUNTS_ITSELF)) {
            call.count(counters.commands);
        }
        if (isClosed) {
            call.kill(atShutdown());
        }
        call.interruption().check();
        reachTimes(call);
        return enlisted(command, arguments, call);
    }

    private <A> Reply enlisted(Command<A> command, A arguments, Call call) {
        enlistment.enter(call);
        // What runs out of time before it begins leaves the transaction as it was, unless it was to begin that, too.
        boolean successfully = !call.startsTransaction();
        try {
            faults.delay(call);
            successfully = false;
            call.begin(node.isWritablePrimary());
            Reply reply = run(command, arguments, call);
            successfully = true;
            return reply;
        } finally {
            enlistment.leave(call, successfully);
        }
    }

    private <A> Reply run(Command<A> command, A arguments, Call call) {
        LargeValues.Statement statement =
                memory.largeValues().begin(() -> call.interruption().check());
        try {
            return command.run(arguments, call);
        } finally {
            statement.close();
        }
    }

    /** Session ids are scoped to the user: without authentication there is no session. */
    private void use(Call call) {
        SessionId lsid = call.lsid();
        if (lsid != null) {
            call.session(sessions.use(lsid));
        }
    }

    private static boolean reads(Spec spec) {
        return spec.is(Spec.Trait.READS_CATALOG) || (spec.is(Spec.Trait.READ_CONCERN) && !spec.is(Spec.Trait.WRITES));
    }

    /** What has a transaction of TokuMX's dialect knows itself what it needs: a secondary has some that only read. */
    private static boolean needsPrimary(Spec spec, Call call) {
        return call.isInSessionTransaction()
                ? spec.is(Spec.Trait.WRITES) || reads(spec)
                : spec.is(Spec.Trait.WRITES) && !spec.is(Spec.Trait.ENDS_TRANSACTION);
    }

    private void check(Spec spec, Call call) {
        call.api().check(spec, node.requiresApiVersion(), node.acceptsApiVersion2());
        call.api().check(call.arguments());
        if (spec.is(Spec.Trait.ADMIN_ONLY) && !call.database().equals("admin")) {
            throw new CommandException(
                    ErrorCode.Unauthorized, "%s may only be run against the admin database.", spec.name());
        }
        if (needsPrimary(spec, call) && !node.isWritablePrimary()) {
            throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
        }
        if (reads(spec) && !call.mayReadSecondary() && !node.isWritablePrimary()) {
            throw new CommandException(ErrorCode.NotPrimaryNoSecondaryOk, "not primary and secondaryOk=false");
        }
        if (call.readConcern().level() == ReadConcern.Level.LINEARIZABLE && !node.isWritablePrimary()) {
            throw new CommandException(
                    ErrorCode.NotWritablePrimary, "cannot satisfy linearizable read concern on non-primary node");
        }
        if (reads(spec) && !node.isReadable()) {
            throw new CommandException(
                    ErrorCode.NotPrimaryOrSecondary,
                    "not primary or secondary; cannot currently read from this replSet member");
        }
        if (call.txnNumber() >= 0 && !node.isReplicaSetMember()) {
            // Drivers recognise a standalone server by the first words.
            throw new CommandException(
                    ErrorCode.IllegalOperation,
                    "Transaction numbers are only allowed on a replica set member or mongos");
        }
        acknowledgement.check(call);
    }

    private void reachTimes(Call call) {
        ReadConcern concern = call.readConcern();
        long wanted = concern.atClusterTime() != 0 ? concern.atClusterTime() : concern.afterClusterTime();
        if (!node.isReplicaSetMember()) {
            if (wanted != 0) {
                throw new CommandException(
                        ErrorCode.NotAReplicaSet, "node needs to be a replica set member to use readConcern");
            }
            if (concern.level() == ReadConcern.Level.SNAPSHOT) {
                throw new CommandException(
                        ErrorCode.NotAReplicaSet, "node needs to be a replica set member to use readConcern: snapshot");
            }
            return;
        }
        if (call.gossip() != 0) {
            if (access.trusts(call.client())) {
                times.heardOf(call.gossip());
            } else {
                times.heardOfByAnybody(call.gossip());
            }
        }
        if (wanted != 0) {
            times.reach(wanted, call.interruption());
        }
    }

    // ---- after

    private Answer answered(Reply reply, Call call, long durableTime) {
        BsonWriter out = reply.fields();
        Acknowledgement.Failure unmet = acknowledgement.await(call, durableTime);
        RawDocument imposed = Faults.writeConcernError(call);
        ErrorCode concernError = null;
        if (imposed != null) {
            out.put("writeConcernError", imposed);
            concernError = Faults.code(imposed);
        } else if (unmet != null) {
            unmet.writeTo(out, call.writeConcern());
            concernError = unmet.code();
        }
        out.put("ok", 1.0);
        if (concernError != null) {
            addLabels(out, ErrorLabels.ofWriteConcernError(call, concernError));
            addTopologyVersion(out, call, concernError);
        }
        addTimes(out, call);
        if (call.isConnectionCut()) {
            return new Answer(error(Faults.cut()), null, true);
        }
        return new Answer(out.finish(), reply.next(), reply.closesConnection());
    }

    private Answer failed(@Nullable Call call, CommandException failure, long durableTime) {
        Acknowledgement.Failure unmet = null;
        CommandException told = failure;
        try {
            // What a failed write has seen, a duplicate for instance, must be as safe as what it would have written.
            unmet = call == null ? null : acknowledgement.await(call, durableTime);
        } catch (CommandException lost) {
            told = lost;
        }
        BsonWriter out = errorFields(told);
        if (call != null && unmet != null && call.hasBegun()) {
            unmet.writeTo(out, call.writeConcern());
        }
        addLabels(out, call == null ? told.labels() : ErrorLabels.of(call, told));
        addTopologyVersion(out, call, told.code());
        addTimes(out, call);
        return new Answer(out.finish(), null, call != null && call.isConnectionCut());
    }

    /** With the memory it takes. A write that has happened is not answered by an error, but by the end of the connection. */
    private Answer held(Call call, Answer answer, long durableTime) {
        ReplyMemory taken = call.replyMemory();
        long length = answer.reply().length();
        if (taken.tryComplete(length)) {
            return answer.holding(taken.held());
        }
        taken.held().close();
        return call.spec().is(Spec.Trait.WRITES)
                ? new Answer(error(taken.refusal(length)), null, true)
                : failed(call, taken.refusal(length), durableTime);
    }

    /**
     * By which a driver knows whether it has been told already of what made the command fail. Of an error that a fail
     * point has made it must not think so.
     */
    private void addTopologyVersion(BsonWriter out, @Nullable Call call, ErrorCode code) {
        boolean isMadeUp = call != null && call.fault() != null;
        if (!isMadeUp && ErrorCodes.isStateChange(code.number()) && node.isReplicaSetMember()) {
            node.addTopologyVersion(out);
        }
    }

    private static void addLabels(BsonWriter out, List<String> labels) {
        if (!labels.isEmpty()) {
            out.startArray("errorLabels");
            labels.forEach(out::add);
            out.end();
        }
    }

    private void addTimes(BsonWriter out, @Nullable Call call) {
        if (node.isReplicaSetMember()) {
            times.writeTo(out, call == null ? 0 : call.newestSeen());
        }
    }

    /** The reply to a message that did not get as far as being a command. */
    public static RawDocument error(CommandException failure) {
        BsonWriter out = errorFields(failure);
        addLabels(out, failure.labels());
        return out.finish();
    }

    private static BsonWriter errorFields(CommandException failure) {
        BsonWriter out = new BsonWriter(256)
                .put("ok", 0.0)
                .put("errmsg", failure.text())
                .put("code", failure.code().number())
                .put("codeName", failure.code().codeName());
        return out.copyAll(failure.details().fields());
    }
}
