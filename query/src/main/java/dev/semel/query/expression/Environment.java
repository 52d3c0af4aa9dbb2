package dev.semel.query.expression;

import dev.semel.query.script.ScriptEngine;
import dev.semel.query.script.Scripts;
import dev.semel.query.value.Pace;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.thread.StackRoom;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What an expression sees while it is evaluated: the document, the bound variables, the time and chance. One per
 * execution and used by one thread: it changes from document to document so that nothing is created per document.
 */
public final class Environment {
    /** What a condition of a filter or a change of an update takes as objects, roughly. */
    private static final int PART_BYTES = 512;

    /** One command may have parts that take this part of what all queries may hold. */
    private static final int PARTS_SHARE = 2;

    /** Of {@link #descend}, each of 64 stages or fewer. */
    private static final int LEVELS_MAX = 75;

    /** Fewer bytes belong to what a connection takes anyway. */
    private static final int FREE_PART_BYTES = 64 << 10;

    private final Value.Date now;
    private final Value.@Nullable Timestamp clusterTime;
    private final RandomGenerator random;
    final Runnable checkpoint;
    private final Pace pace;
    private final @Nullable LongConsumer stall;
    private final LongConsumer holdParts;
    private final QueryMemory memory;
    final Scratch scratch;
    private final @Nullable ScriptEngine scriptEngine;
    private @Nullable Scripts scripts;
    private int levels;
    private long partBytes;
    private long heldPartBytes = FREE_PART_BYTES;
    private RawDocument document = RawDocument.EMPTY;
    private RawDocument metadata = RawDocument.EMPTY;
    private Set<String> wantedMetadata = Set.of();
    private final Set<Pausable> holders = Collections.newSetFromMap(new IdentityHashMap<>(0));
    private @Nullable Value[] slots = new @Nullable Value[4];

    /**
     * @param nowMillis {@code $$NOW}: the same for a whole command
     * @param clusterTime {@code $$CLUSTER_TIME}; null where there is none
     */
    public Environment(long nowMillis, Value.@Nullable Timestamp clusterTime, RandomGenerator random) {
        this(nowMillis, clusterTime, random, () -> {}, null);
    }

    /**
     * @param checkpoint called repeatedly during long computations; throws to end them, because the time is up or the
     *     operation was killed
     * @param stall waits for the given number of milliseconds, or throws like the checkpoint; null where the wait could
     *      not be ended
     */
    public Environment(
            long nowMillis,
            Value.@Nullable Timestamp clusterTime,
            RandomGenerator random,
            Runnable checkpoint,
            @Nullable LongConsumer stall) {
        this(nowMillis, clusterTime, random, checkpoint, stall, QueryMemory.unlimited());
    }

    /** With what stages that collect documents may hold. */
    public Environment(
            long nowMillis,
            Value.@Nullable Timestamp clusterTime,
            RandomGenerator random,
            Runnable checkpoint,
            @Nullable LongConsumer stall,
            QueryMemory memory) {
        this(nowMillis, clusterTime, random, checkpoint, stall, bytes -> {}, memory, null);
    }

    /**
     * @param holdParts takes so many more bytes for conditions and changes, or refuses them
     * @param scriptEngine runs JavaScript; null where clients' code is not run
     */
    public Environment(
            long nowMillis,
            Value.@Nullable Timestamp clusterTime,
            RandomGenerator random,
            Runnable checkpoint,
            @Nullable LongConsumer stall,
            LongConsumer holdParts,
            QueryMemory memory,
            @Nullable ScriptEngine scriptEngine) {
        this.holdParts = holdParts;
        this.scriptEngine = scriptEngine;
        this.memory = memory;
        this.scratch = new Scratch(memory, checkpoint);
        this.now = new Value.Date(nowMillis);
        this.clusterTime = clusterTime;
        this.random = random;
        this.checkpoint = checkpoint;
        this.pace = new Pace(checkpoint);
        this.stall = stall;
    }

    /** Moves on to another document. */
    public Environment on(RawDocument next) {
        document = next;
        return this;
    }

    public RawDocument document() {
        return document;
    }

    /** The {@link Metadata} of the document that was read last. */
    public RawDocument metadata() {
        return metadata;
    }

    /** Whoever reads documents says what is known of the one that follows. */
    public void metadata(RawDocument known) {
        metadata = known;
    }

    /** Which metadata anybody is going to ask for; nobody need provide other. */
    public Set<String> wantedMetadata() {
        return wantedMetadata;
    }

    public void wantMetadata(Set<String> names) {
        wantedMetadata = Set.copyOf(names);
    }

    public RandomGenerator random() {
        return random;
    }

    public QueryMemory memory() {
        return memory;
    }

    /** What is held of large values so far, to come back to with {@link #release}. */
    public long mark() {
        return scratch.mark();
    }

    /** Holds beyond the mark what is being written of the document, and nothing else; refused if it becomes too large. */
    public void building(long mark, BsonWriter writer) {
        scratch.settle(mark, writer);
    }

    public void release(long mark) {
        scratch.settle(mark, (Value) null);
    }

    /** To be paused with the execution, until it is {@link #closed}. */
    public void opened(Pausable holder) {
        holders.add(holder);
    }

    public void closed(Pausable holder) {
        holders.remove(holder);
    }

    /** Nobody reads on for some time: those that can give memory back to others do. */
    public void pause() {
        holders.forEach(Pausable::pauseIfPossible);
    }

    /** Throws if whatever is being computed shall end. */
    public void checkpoint() {
        checkpoint.run();
    }

    /** For many short computations. */
    public Pace pace() {
        return pace;
    }

    /**
     * Another condition or change of a command has been read; refused if they take too much in all, or if the command is to
     * end.
     *
     * @param times how much it takes, compared with a plain condition
     */
    public void parsed(int times) {
        partBytes += (long) PART_BYTES * times;
        long bytesMax = memory.all().bytesMax() / PARTS_SHARE;
        if (partBytes > bytesMax) {
            throw new CommandException(
                    ErrorCode.ExceededMemoryLimit,
                    "The conditions and changes of this command take more than %d bytes, half of the limit set by"
                            + " the parameter %s",
                    bytesMax,
                    memory.all().parameter());
        }
        if (partBytes > heldPartBytes + FREE_PART_BYTES) {
            holdParts.accept(partBytes - heldPartBytes);
            heldPartBytes = partBytes;
        }
        pace.step();
    }

    /** What has been {@link #parsed} so far, to come back to with {@link #forgetParsed}. */
    public long parsedBytes() {
        return partBytes;
    }

    /** What has been parsed since then is for one document, and gone with it. */
    public void forgetParsed(long before) {
        partBytes = before;
    }

    /** Whether there may be so many stages that they are more than a stack has room for. */
    public boolean isLarge() {
        return partBytes > FREE_PART_BYTES;
    }

    /** The caller is about to call many stages within each other; refused if they are within too many already. */
    public void descend() {
        if (levels == LEVELS_MAX) {
            throw new CommandException(ErrorCode.Overflow, "the pipelines of the command nest too deeply to be run");
        }
        levels++;
        StackRoom.make();
    }

    /** The caller has returned from them. */
    public void ascend() {
        levels--;
    }

    /** Whether commands run here, which may take long; stored filters do not. */
    public boolean isOfCommand() {
        return stall != null;
    }

    public boolean runsScripts() {
        return scriptEngine != null;
    }

    /** The JavaScript functions of this execution; refused where there are none. */
    public Scripts scripts() {
        Scripts mine = scripts;
        if (mine == null) {
            if (scriptEngine == null) {
                throw new CommandException(
                        ErrorCode.location(31264),
                        "Cannot run server-side javascript without the javascript engine enabled");
            }
            holdParts.accept(Scripts.BYTES);
            mine = scriptEngine.open(memory.all(), checkpoint, stall);
            scripts = mine;
        }
        return mine;
    }

    @Nullable
    Value slot(int slot) {
        return slots[slot];
    }

    /** Gives a variable its value; the scope that parsed the expression says which slot is whose. */
    public void bind(int slot, @Nullable Value value) {
        if (slot >= slots.length) {
            slots = Arrays.copyOf(slots, Math.max(slot + 1, slots.length * 2));
        }
        slots[slot] = value;
    }

    Value builtin(Expression.Builtin.Name name) {
        return switch (name) {
            case NOW -> now;
            case CLUSTER_TIME -> {
                if (clusterTime == null) {
                    throw new CommandException(
                            ErrorCode.location(51144), "Builtin variable '$$CLUSTER_TIME' is not available");
                }
                yield clusterTime;
            }
        };
    }
}
