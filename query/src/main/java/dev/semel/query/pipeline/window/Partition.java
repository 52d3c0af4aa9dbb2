package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.value.Held;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The documents of one partition, numbered from 0. They are read when they are asked for, and forgotten when no function
 * needs them any more: a running total holds one document, whatever the size of the partition. Where functions look far ahead,
 * documents that do not fit into memory wait in files, from which those functions read them one after the other.
 */
public final class Partition implements AutoCloseable {
    /** What a document costs beside its bytes: its entry, the value it is sorted by. */
    private static final int ENTRY_BYTES = 80;

    /** A document, and what it is sorted by once somebody has asked for it. */
    private static final class Entry {
        final RawDocument document;

        @Nullable
        Value position;

        boolean positioned;

        Entry(RawDocument document) {
            this.document = document;
        }
    }

    private final Supplier<@Nullable RawDocument> source;
    private final @Nullable Expression position;
    private final Environment environment;
    private final WindowMemory memory;

    /** Of the function that is being computed. */
    private WindowMemory functionMemory;

    /** Those from {@code first} on; a list with its front cut off now and then, because a deque has no access by number. */
    private List<@Nullable Entry> entries = new ArrayList<>();

    private long offset;
    private long first;

    /** How many have been read. */
    private long size;

    /** Those behind the entries; null if there is no disk. */
    private final @Nullable Overflow overflow;

    /** Of the overflow, what was asked for last, and its number. */
    private @Nullable Entry ahead;

    private long aheadNumber;
    private long heldBytes;
    private boolean ended;

    /**
     * @param source the next document of this partition, or null after the last
     * @param position the field that the partition is sorted by, if it is just one
     */
    public Partition(
            Supplier<@Nullable RawDocument> source,
            @Nullable Expression position,
            Environment environment,
            WindowMemory memory) {
        this.source = source;
        this.position = position;
        this.environment = environment;
        this.memory = memory;
        this.functionMemory = memory;
        this.overflow = memory.disk() == null ? null : new Overflow(memory.disk(), memory);
    }

    public Environment environment() {
        return environment;
    }

    /** What functions hold is that of this one from now on. */
    public void countFor(WindowMemory function) {
        functionMemory = function;
    }

    /** For what a function holds. */
    WindowMemory memory() {
        return functionMemory;
    }

    /** Whether there are so many documents; reads as far as that. */
    public boolean has(long number) {
        while (!ended && size <= number) {
            environment.checkpoint();
            RawDocument next = source.get();
            if (next == null) {
                ended = true;
            } else {
                append(next);
                size++;
            }
        }
        return number < size;
    }

    private void append(RawDocument next) {
        long bytes = bytes(next);
        if (overflow == null) {
            memory.charge(bytes);
            hold(new Entry(next));
        } else if (overflow.isEmpty() && heldBytes + bytes <= memory.bytesMax() / 2 && memory.tryCharge(bytes)) {
            hold(new Entry(next));
        } else {
            overflow.add(next, size);
        }
    }

    private void hold(Entry entry) {
        heldBytes += bytes(entry.document);
        entries.add(entry);
    }

    private static long bytes(RawDocument document) {
        return (long) document.length() + ENTRY_BYTES;
    }

    /** The number of the last document; reads all of them. */
    long last() {
        has(Long.MAX_VALUE);
        return size - 1;
    }

    /** A document that is there and has not been forgotten. */
    public RawDocument document(long number) {
        return entry(number).document;
    }

    /** The value of the field that the partition is sorted by. */
    @Nullable
    Value position(long number) {
        Entry entry = entry(number);
        if (!entry.positioned && position != null) {
            Value value = Expressions.evaluate(position, environment, entry.document);
            entry.position = value == null ? null : Held.copy(value);
            entry.positioned = true;
        }
        return entry.position;
    }

    private Entry entry(long number) {
        if (!has(number) || number < first) {
            throw new IllegalStateException(
                    "document " + number + " of the partition is not held, the first is " + first);
        }
        while (number >= offset + entries.size()) {
            if (!load()) {
                return ahead(number);
            }
        }
        Entry entry = entries.get((int) (number - offset));
        if (entry == null) {
            throw new IllegalStateException("document " + number + " of the partition has been forgotten");
        }
        return entry;
    }

    /** Takes one more into memory; false if there is no room. */
    private boolean load() {
        Overflow from = overflow();
        RawDocument next = from.first();
        long bytes = bytes(next);
        boolean isNeeded = heldBytes == 0;
        if (!isNeeded && (heldBytes + bytes > memory.bytesMax() / 2 || !memory.tryCharge(bytes))) {
            return false;
        }
        // In this order, so that a large document is not counted twice.
        from.removeFirst();
        if (isNeeded) {
            memory.charge(bytes);
        }
        hold(new Entry(next));
        return true;
    }

    private Entry ahead(long number) {
        Entry known = ahead;
        if (known == null || aheadNumber != number) {
            ahead = null;
            known = new Entry(overflow().get(number));
            ahead = known;
            aheadNumber = number;
        }
        return known;
    }

    private Overflow overflow() {
        Overflow there = overflow;
        if (there == null) {
            throw new IllegalStateException("a document of the partition has been read and not kept");
        }
        return there;
    }

    /** Forgets the documents before this one. */
    public void forgetBefore(long number) {
        long end = Math.min(number, offset + entries.size());
        for (; first < end; first++) {
            int at = (int) (first - offset);
            Entry entry = entries.set(at, null);
            if (entry != null) {
                memory.release(bytes(entry.document));
                heldBytes -= bytes(entry.document);
            }
        }
        int gone = (int) (first - offset);
        if (gone > 64 && gone > entries.size() / 2) {
            entries = new ArrayList<>(entries.subList(gone, entries.size()));
            offset = first;
        }
    }

    /** Removes the files. */
    @Override
    public void close() {
        if (overflow != null) {
            overflow.close();
        }
    }
}
