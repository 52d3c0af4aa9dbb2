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
 * needs them any more: a running total holds one document, whatever the size of the partition.
 */
public final class Partition {
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

    /** Those from {@code first} on; a list with its front cut off now and then, because a deque has no access by number. */
    private List<@Nullable Entry> entries = new ArrayList<>();

    private long offset;
    private long first;
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
    }

    public Environment environment() {
        return environment;
    }

    WindowMemory memory() {
        return memory;
    }

    /** Whether there are so many documents; reads as far as that. */
    public boolean has(long number) {
        while (!ended && offset + entries.size() <= number) {
            environment.checkpoint();
            RawDocument next = source.get();
            if (next == null) {
                ended = true;
            } else {
                memory.charge(next.length() + ENTRY_BYTES);
                entries.add(new Entry(next));
            }
        }
        return number < offset + entries.size();
    }

    /** The number of the last document; reads all of them. */
    long last() {
        has(Long.MAX_VALUE);
        return offset + entries.size() - 1;
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
        Entry entry = has(number) && number >= first ? entries.get((int) (number - offset)) : null;
        if (entry == null) {
            throw new IllegalStateException(
                    "document " + number + " of the partition is not held, the first is " + first);
        }
        return entry;
    }

    /** Forgets the documents before this one. */
    public void forgetBefore(long number) {
        long end = Math.min(number, offset + entries.size());
        for (; first < end; first++) {
            int at = (int) (first - offset);
            Entry entry = entries.set(at, null);
            if (entry != null) {
                memory.release(entry.document.length() + ENTRY_BYTES);
            }
        }
        int gone = (int) (first - offset);
        if (gone > 64 && gone > entries.size() / 2) {
            entries = new ArrayList<>(entries.subList(gone, entries.size()));
            offset = first;
        }
    }
}
