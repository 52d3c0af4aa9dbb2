package dev.semel.query.script;

import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.memory.MemoryPart;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs JavaScript of clients. One per server, used by all threads. */
public final class ScriptEngine {
    private final Contexts contexts = new Contexts();
    private final ScriptLimits limits;
    private final Supplier<ObjectId> ids;
    private final ReentrantLock lock = new ReentrantLock();

    /** Made for the first script: few servers see one. */
    private volatile @Nullable Globals globals;

    /** @param ids what {@code ObjectId()} returns */
    public ScriptEngine(ScriptLimits limits, Supplier<ObjectId> ids) {
        this.limits = limits;
        this.ids = ids;
    }

    /**
     * For one command.
     *
     * @param memory what scripts draw from
     * @param checkpoint called often, from however deep within the script; lets others run, throws if the command shall end
     * @param stall what {@code sleep} does; null where that is not allowed
     */
    public Scripts open(MemoryPart memory, Runnable checkpoint, @Nullable LongConsumer stall) {
        return new Scripts(contexts, globals(), limits, memory, checkpoint, stall);
    }

    private Globals globals() {
        Globals known = globals;
        if (known != null) {
            return known;
        }
        lock.lock();
        try {
            known = globals;
            if (known == null) {
                known = contexts.call(context -> new Globals(context, ids));
                globals = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }
}
