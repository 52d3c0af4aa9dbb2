package dev.semel.server.failpoint;

import dev.semel.wire.ErrorCode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A place where the server can be made to fail, with what is to happen there. */
public sealed interface FailPoint {
    String name();

    /** The maximum number of injected faults, in any mode. */
    default long timesMax() {
        return Long.MAX_VALUE;
    }

    /**
     * Around the run of a command.
     *
     * @param faults one for every time, or several for successive times, after which the point is off
     */
    record FailCommand(Target target, List<Fault> faults, boolean isSequence) implements FailPoint {
        public static final String NAME = "failCommand";

        public FailCommand {
            faults = List.copyOf(faults);
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public long timesMax() {
            return isSequence ? faults.size() : Long.MAX_VALUE;
        }

        /** What happens the n-th time, from 1. */
        public Fault fault(long number) {
            return isSequence ? faults.get((int) number - 1) : faults.getFirst();
        }
    }

    /**
     * Where a retryable write is about to commit.
     *
     * @param beforeCommit fails the write with this; null lets it commit
     */
    record OnPrimaryTransactionalWrite(
            boolean closesConnection, @Nullable ErrorCode beforeCommit) implements FailPoint {
        public static final String NAME = "onPrimaryTransactionalWrite";

        @Override
        public String name() {
            return NAME;
        }
    }

    /** Where {@code getMore} has found its cursor. */
    record FailGetMoreAfterCursorCheckout(@Nullable ErrorCode error, boolean closesConnection) implements FailPoint {
        public static final String NAME = "failGetMoreAfterCursorCheckout";

        @Override
        public String name() {
            return NAME;
        }
    }

    /**
     * On the way to and from other members of the replica set, as if their network had failed.
     *
     * @param members by the addresses that the configuration has
     */
    record CutMembers(Set<String> members) implements FailPoint {
        public static final String NAME = "cutMembers";

        public CutMembers {
            members = Set.copyOf(members);
        }

        @Override
        public String name() {
            return NAME;
        }
    }

    /** Where a secondary would apply what it has received: it waits there. */
    record RsSyncApplyStop() implements FailPoint {
        public static final String NAME = "rsSyncApplyStop";

        @Override
        public String name() {
            return NAME;
        }
    }

    /** Every operation with a time limit has passed it. */
    record MaxTimeAlwaysTimeOut() implements FailPoint {
        public static final String NAME = "maxTimeAlwaysTimeOut";

        @Override
        public String name() {
            return NAME;
        }
    }

    /** No operation has a time limit. */
    record MaxTimeNeverTimeOut() implements FailPoint {
        public static final String NAME = "maxTimeNeverTimeOut";

        @Override
        public String name() {
            return NAME;
        }
    }
}
