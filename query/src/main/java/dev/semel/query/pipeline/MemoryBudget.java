package dev.semel.query.pipeline;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.pipeline.window.WindowMemory;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.Reservation;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a stage holds, within its own limit and that of all queries. The counts are estimates of the heap taken. A stage that
 * can write what it holds to {@link #disk} asks {@link #tryCharge}, or looks at {@link #isFull} from time to time; one that cannot,
 * or must not, is refused at the limit.
 */
public final class MemoryBudget implements WindowMemory {
    /** A stage that spills goes beyond its limit by a document and what is made of it. */
    private static final long OVERSHOOT_BYTES_MAX = 34 << 20;

    /** Less than this is not worth a file: then others hold the memory, and waiting for them would not end. */
    private static final long SPILLED_BYTES_MIN = 256 << 10;

    /** How long a stage that can spill waits in all for others to release something: they do when they spill or end. */
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final String stage;
    private final boolean canSpill;
    private final @Nullable SpillSpace disk;
    private final long bytesMax;
    private final Reservation reservation;
    private final Runnable checkpoint;
    private long bytes;
    private long bytesHeldMax;
    private boolean isFull;
    private long files;
    private Spilled spilled = new Spilled(0, 0, 0, 0);

    /** What the parts hold of it that cannot be written to disk. */
    private long fixedBytes;

    /** Whether this part cannot be written to disk. */
    private boolean isFixed;

    /** What this one is a part of; null for that of a stage. */
    private @Nullable MemoryBudget whole;

    private final Map<String, MemoryBudget> parts = new LinkedHashMap<>();

    /**
     * What was moved from memory to disk.
     *
     * @param diskBytes after compression
     */
    record Spilled(long times, long records, long bytes, long diskBytes) {
        private Spilled and(long moreRecords, long moreBytes, long moreDiskBytes) {
            return new Spilled(times + 1, records + moreRecords, bytes + moreBytes, diskBytes + moreDiskBytes);
        }
    }

    private MemoryBudget(
            String stage,
            boolean canSpill,
            @Nullable SpillSpace disk,
            long bytesMax,
            Reservation reservation,
            Runnable checkpoint) {
        this.stage = stage;
        this.canSpill = canSpill;
        this.disk = disk;
        this.bytesMax = bytesMax;
        this.reservation = reservation;
        this.checkpoint = checkpoint;
    }

    /** Of a stage that cannot spill. What it holds is released with the reservation. */
    public static MemoryBudget inMemory(String stage, QueryMemory memory, Reservation reservation) {
        return new MemoryBudget(stage, false, null, memory.stageBytesMax().getAsLong(), reservation, () -> {});
    }

    /**
     * Of a stage that can spill, if the client allows it.
     *
     * @param checkpoint called repeatedly while the stage waits for memory; throws to end that
     */
    public static MemoryBudget of(
            String stage, boolean allowDiskUse, QueryMemory memory, Reservation reservation, Runnable checkpoint) {
        return new MemoryBudget(
                stage,
                true,
                allowDiskUse ? memory.disk() : null,
                memory.stageBytesMax().getAsLong(),
                reservation,
                checkpoint);
    }

    /** What a field of the results holds of it, which {@code explain} shows. */
    MemoryBudget part(String name) {
        return parts.computeIfAbsent(name, ignored -> {
            MemoryBudget part = new MemoryBudget(stage, canSpill, disk, bytesMax, reservation, checkpoint);
            part.whole = this;
            return part;
        });
    }

    /** The same for a field whose part cannot be written to disk, unlike other parts of the stage. */
    MemoryBudget fixedPart(String name) {
        MemoryBudget part = part(name);
        part.isFixed = true;
        return part;
    }

    Map<String, MemoryBudget> parts() {
        return Collections.unmodifiableMap(parts);
    }

    /** Where the stage may write what it does not hold; null if it may not. */
    @Override
    public @Nullable SpillSpace disk() {
        SpillSpace space = disk;
        return space == null ? null : whole != null ? whole.disk() : () -> write(space);
    }

    private SpillWriter write(SpillSpace space) {
        files++;
        return space.write();
    }

    /** How many files the stage has written. */
    long files() {
        return files;
    }

    /** Notes that once more the stage has written to disk what it held. */
    void noteSpill(long records, long recordBytes, long diskBytes) {
        spilled = spilled.and(records, recordBytes, diskBytes);
    }

    Spilled spilled() {
        return spilled;
    }

    /** The most it has counted at a time. */
    long heldBytesMax() {
        return bytesHeldMax;
    }

    /**
     * Counts that much more, or refuses it with an error: at the limit, or a little above it if the stage can spill, which also
     * waits for other queries while they hold everything.
     */
    @Override
    public void charge(long more) {
        if (whole != null) {
            if (isFixed && whole.isFullOfFixed()) {
                throw whole.exceededByFixed(more);
            }
            whole.charge(more);
            count(more);
            return;
        }
        if (disk == null) {
            if (bytes + more > bytesMax) {
                throw exceeded();
            }
            if (!reservation.tryGrow(more)) {
                throw refused();
            }
        } else {
            if (bytes + more > bytesMax + OVERSHOOT_BYTES_MAX) {
                throw tooLarge();
            }
            if (!reservation.growIfFree(more)) {
                isFull = true;
                if (!reservation.takeIfNotFull(more) && !isFreedByOthers(more)) {
                    throw refused();
                }
            }
        }
        count(more);
        isFull |= bytes > bytesMax;
    }

    /** What the pipeline itself holds is not released while it waits. */
    private boolean isFreedByOthers(long more) {
        return reservation.bytes() < reservation.part().bytesMax()
                && reservation.takeWithin(more, WAIT_NANOS_MAX, checkpoint);
    }

    /** The same; false, and nothing was counted, if the stage must spill first. */
    @Override
    public boolean tryCharge(long more) {
        if (whole != null) {
            boolean isCharged = whole.tryCharge(more);
            count(isCharged ? more : 0);
            return isCharged;
        }
        if (disk != null && bytes >= spilledBytesMin()) {
            if (bytes + more > bytesMax || !reservation.growIfFree(more)) {
                return false;
            }
            count(more);
        } else {
            charge(more);
        }
        return true;
    }

    @Override
    public void chargeCollected(long more) {
        if (whole != null && whole.isFullOfFixed()) {
            throw tooLarge();
        }
        charge(more);
    }

    /** One value may be larger than the limit is: it is refused to hold more beside it. */
    private boolean isFullOfFixed() {
        return disk != null && fixedBytes > bytesMax;
    }

    private CommandException exceededByFixed(long more) {
        return new CommandException(
                ErrorCode.location(5414201),
                "Exceeded memory limit in DocumentSourceSetWindowFields, used %d bytes but max allowed is %d",
                bytes + more,
                bytesMax);
    }

    private void count(long more) {
        if (whole != null && isFixed) {
            whole.fixedBytes += more;
        }
        bytes += more;
        bytesHeldMax = Math.max(bytesHeldMax, bytes);
    }

    /** Whether the stage should spill now. */
    boolean isFull() {
        return isFull && bytes >= spilledBytesMin();
    }

    /** Whether the stage should spill, because nobody reads on for some time and others may need what it holds. */
    boolean isWantedByOthers() {
        return disk != null && bytes >= spilledBytesMin() && reservation.part().isScarce();
    }

    private long spilledBytesMin() {
        return Math.min(SPILLED_BYTES_MIN, bytesMax / 2);
    }

    /** The limit of the stage. */
    @Override
    public long bytesMax() {
        return bytesMax;
    }

    private CommandException refused() {
        return reservation
                .part()
                .refusal(
                        ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed, "What all queries hold with this " + stage);
    }

    private CommandException exceeded() {
        return switch (stage) {
            case Sort.NAME ->
                new CommandException(
                        ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                        "Sort exceeded memory limit of %d bytes, but did not opt in to external sorting.",
                        bytesMax);
            case GraphLookup.NAME ->
                new CommandException(ErrorCode.location(40099), "%s reached maximum memory consumption", stage);
            case SetWindowFields.NAME ->
                new CommandException(
                        ErrorCode.location(5643011), "Exceeded max memory. Set 'allowDiskUse: true' to spill to disk");
            case Densify.NAME ->
                new CommandException(ErrorCode.location(6007200), "%s exceeded memory limit of %d", stage, bytesMax);
            default ->
                canSpill
                        ? new CommandException(
                                ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                                "Exceeded memory limit for %s, but didn't allow external spilling; pass"
                                        + " allowDiskUse:true to opt in",
                                stage)
                        : new CommandException(
                                ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                                "Exceeded memory limit of %d bytes for %s, which cannot use temporary files",
                                bytesMax,
                                stage);
        };
    }

    /** For what can be neither held nor divided. */
    CommandException tooLarge() {
        return new CommandException(
                ErrorCode.ExceededMemoryLimit,
                "%s used too much memory and cannot spill to disk. Memory limit: %d bytes",
                stage,
                bytesMax);
    }

    void releaseAll() {
        release(bytes);
        parts.values().forEach(each -> each.bytes = 0);
        fixedBytes = 0;
    }

    @Override
    public void release(long fewer) {
        bytes -= fewer;
        if (whole != null) {
            whole.fixedBytes -= isFixed ? fewer : 0;
            whole.release(fewer);
            return;
        }
        reservation.shrink(fewer);
        isFull &= bytes > bytesMax;
    }

    public long bytes() {
        return bytes;
    }
}
