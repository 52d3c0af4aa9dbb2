package dev.semel.server.command;

import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a reply may be sent. A reply must not depend on data that a power loss could still undo, unless the
 * client has asked for that: neither on its own write, nor on another client's write that made it fail, nor on a read
 * with a stronger read concern than the newest state.
 */
final class Acknowledgement {
    private final Dispatcher.Node node;
    private final Transactions transactions;

    /** The write has happened, but not on as many members as the client wants. */
    record Failure(ErrorCode code, String message) {
        void writeTo(BsonWriter reply, WriteConcern concern) {
            reply.startDocument("writeConcernError")
                    .put("code", code.number())
                    .put("codeName", code.codeName())
                    .put("errmsg", message)
                    .startDocument("errInfo");
            if (code.equals(ErrorCode.WriteConcernFailed)) {
                reply.put("wtimeout", true);
            }
            concern.writeTo(reply);
            reply.end().end();
        }
    }

    Acknowledgement(Dispatcher.Node node, Transactions transactions) {
        this.node = node;
        this.transactions = transactions;
    }

    /** Refuses, before anything is done, what cannot have a meaning here. */
    void check(Call call) {
        WriteConcern concern = call.writeConcern();
        if (call.spec().is(Spec.Trait.WRITE_CONCERN)
                && concern.isGiven()
                && !node.isReplicaSetMember()
                && (concern.nodes() > 1 || concern.nodes() == WriteConcern.MODE)) {
            throw new CommandException(ErrorCode.BadValue, "cannot use 'w' > 1 when a host is not replicated");
        }
    }

    /** Whether {@link #await} may have to wait for something else than that {@link #durableTime}, or not for ever. */
    static boolean waitsForMore(Call call) {
        return call.readConcern().level() == ReadConcern.Level.LINEARIZABLE
                || call.writeConcern().timeoutMs() > 0;
    }

    /** What the command has seen and must not be lost when it is answered: by this cluster time; 0 for nothing. */
    long durableTime(Call call) {
        if (isInsideTransaction(call)) {
            return 0;
        }
        boolean isWrite = call.isWrite();
        boolean mustLast = isWrite
                ? call.writeConcern().isDurable()
                : call.readConcern().level().isDurable();
        if (!mustLast) {
            return 0;
        }
        return call.newestSeen() == 0 && isWrite ? transactions.visibleTime() : call.newestSeen();
    }

    /** There nothing is promised before the commit. */
    private static boolean isInsideTransaction(Call call) {
        OpenTransaction inside = call.transaction();
        return inside != null && inside.transaction().isOpen();
    }

    /**
     * Waits, and says what could not be had. The write cannot be undone any more, so no interruption counts.
     *
     * @param durableTime what {@link #durableTime} was when the command had run
     */
    @Nullable
    Failure await(Call call, long durableTime) {
        if (isInsideTransaction(call)) {
            return null;
        }
        boolean isWrite = call.isWrite();
        if (durableTime != 0
                && !isDurable(durableTime, isWrite ? call.writeConcern().timeoutMs() : 0)) {
            Failure never = isWrite && node.isReplicaSetMember() ? impossible(call.writeConcern()) : null;
            return never == null ? timedOut() : never;
        }
        if (!call.hasBegun()) {
            // What was refused has nothing that members could have, nor has it seen anything.
            return null;
        }
        if (!isWrite && call.readConcern().level() == ReadConcern.Level.LINEARIZABLE) {
            node.confirmPrimary(call.interruption());
        }
        // On a secondary, what ends a transaction that has only read has nothing for the others.
        return isWrite && call.hasBegunOnPrimary() && node.isReplicaSetMember() ? unmet(call.writeConcern()) : null;
    }

    /** Waits for at most the given time, or without a limit. */
    private boolean isDurable(long time, long timeoutMs) {
        if (Long.compareUnsigned(transactions.durableTime(), time) >= 0) {
            return true;
        }
        if (timeoutMs > 0) {
            return transactions.awaitDurable(time, Interruption.unlimited(), Duration.ofMillis(timeoutMs));
        }
        transactions.awaitDurable(time, Interruption.unlimited());
        return true;
    }

    private static Failure timedOut() {
        return new Failure(ErrorCode.WriteConcernFailed, "waiting for replication timed out");
    }

    /** What no waiting brings about. */
    private @Nullable Failure impossible(WriteConcern concern) {
        if (concern.nodes() != WriteConcern.MODE) {
            return concern.nodes() > node.dataBearingMembers()
                    ? new Failure(ErrorCode.UnsatisfiableWriteConcern, "Not enough data-bearing nodes")
                    : null;
        }
        String mode = concern.mode();
        return mode != null && !node.hasMode(mode)
                ? new Failure(
                        ErrorCode.UnknownReplWriteConcern,
                        "No write concern mode named '" + mode + "' found in replica set configuration")
                : null;
    }

    private @Nullable Failure unmet(WriteConcern concern) {
        Failure never = impossible(concern);
        String mode = concern.nodes() == WriteConcern.MODE ? concern.mode() : null;
        if (never != null || (mode == null && concern.nodes() <= 1)) {
            return never;
        }
        long nanosMax = concern.timeoutMs() == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(concern.timeoutMs());
        try {
            boolean isMet = mode != null
                    ? node.awaitMode(mode, nanosMax, Interruption.unlimited())
                    : node.awaitMembers(concern.nodes(), nanosMax, Interruption.unlimited());
            return isMet ? null : timedOut();
        } catch (CommandException e) {
            // The write has happened; what it lacks is told beside that.
            return new Failure(e.code(), e.text());
        }
    }
}
