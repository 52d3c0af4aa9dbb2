package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What became of the statements of a command, by their index; a statement that was not run has no outcome. One that was
 * run when the command came before has the outcome it had then, whatever becomes of the others.
 */
public final class Results {
    /** Once errors take more than that in the reply, further ones come without their explanations. */
    private static final int DETAIL_BYTES_MAX = 1 << 20;

    private final @Nullable Outcome[] outcomes;
    private @Nullable BitSet retried;
    private @Nullable BsonWriter retriedIds;
    private long detailBytes;

    public Results(int statements) {
        outcomes = new @Nullable Outcome[statements];
    }

    public void set(int index, Outcome outcome) {
        replace(index, outcome);
    }

    private void replace(int index, @Nullable Outcome outcome) {
        if (outcomes[index] instanceof Outcome.Failed before) {
            detailBytes -= before.detailBytes();
        }
        if (outcome instanceof Outcome.Failed failed) {
            Outcome.Failed kept = detailBytes > DETAIL_BYTES_MAX ? failed.brief() : failed;
            detailBytes += kept.detailBytes();
            outcomes[index] = kept;
        } else {
            outcomes[index] = outcome;
        }
    }

    /** They have to be run, or run again. */
    void clear() {
        clear(0, outcomes.length);
    }

    void clear(int start, int end) {
        for (int i = start; i < end; i++) {
            if (!isRetried(i)) {
                replace(i, null);
            }
        }
    }

    /** The whole command was undone because of this statement: no other has an outcome. */
    void undone(int index, CommandException error) {
        clear();
        replace(index, new Outcome.Failed(error));
    }

    public int statements() {
        return outcomes.length;
    }

    public @Nullable Outcome get(int index) {
        return outcomes[index];
    }

    /** How many of these have run and not failed. */
    int written(int start, int end) {
        int written = 0;
        for (int i = start; i < end; i++) {
            Outcome outcome = outcomes[i];
            written += outcome == null || outcome instanceof Outcome.Failed ? 0 : 1;
        }
        return written;
    }

    // ---- statements that were run when the command came before

    void retried(int index, int stmtId, Outcome outcome) {
        recalled(index, outcome);
        BsonWriter ids = retriedIds;
        if (ids == null) {
            ids = new BsonWriter();
            retriedIds = ids;
        }
        ids.add(Value.of(stmtId));
    }

    /** The same where the reply does not show that it was sent before: it is answered as if this was the first time. */
    void recalled(int index, Outcome outcome) {
        BitSet indexes = retried;
        if (indexes == null) {
            indexes = new BitSet();
            retried = indexes;
        }
        indexes.set(index);
        replace(index, outcome);
    }

    boolean isRetried(int index) {
        return retried != null && retried.get(index);
    }

    int retried() {
        return retried == null ? 0 : retried.cardinality();
    }

    /** The reply lists which, once. */
    public void writeRetried(BsonWriter reply) {
        BsonWriter ids = retriedIds;
        if (ids != null) {
            reply.put("retriedStmtIds", ids.finishArray());
        }
    }
}
