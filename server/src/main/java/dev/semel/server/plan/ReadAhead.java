package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.server.catalog.Index;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Entries of an index, read before they are asked for, with the documents that they lead to: several documents at once cost less
 * than one after the other, above all where they have to be read from the disk. The first time it is one, then
 * twice as many each time.
 */
final class ReadAhead {
    private static final int ENTRIES_MAX = 64;

    private static final long KEY_BYTES_MAX = 64 << 10;

    private static final long HELD_BYTES_MAX = KEY_BYTES_MAX + Snapshot.TOGETHER_BYTES_MAX;

    private final Index index;
    private final KeyScan keys;
    private final Reading reading;

    /** Whether the document with this key has not been met yet; asked once for each entry. */
    private final Predicate<byte[]> isNew;

    private final long wanted;

    /** Of the memory of all queries, for documents that nobody has asked for yet; without it there are none. */
    private final Reservation memory;

    private final List<Entry> entries = new ArrayList<>();

    /** Of the first entries; empty after {@link #pause}. */
    private List<byte @Nullable []> documents = List.of();

    /** The place of the current entry among those read together. */
    private int at;

    private @Nullable Entry current;
    private byte @Nullable [] document;
    private int next = 1;
    private long given;
    private long examined;

    /** @param examined how many keys had been looked at when this one was found */
    private record Entry(byte[] key, byte[] document, long examined) {}

    /** @param wanted how many documents will be asked for at most */
    ReadAhead(Index index, KeyScan keys, Reading reading, Predicate<byte[]> isNew, long wanted, QueryMemory memory) {
        this.index = index;
        this.keys = keys;
        this.reading = reading;
        this.isNew = isNew;
        this.wanted = wanted;
        this.memory = memory.all().open();
    }

    /** Moves to the next entry that leads to a document that is not known yet. */
    boolean next() {
        Entry found = isNextAlone() ? alone() : ofSeveral();
        if (found == null) {
            examined = keys.examined();
            return false;
        }
        current = found;
        examined = found.examined();
        given++;
        return true;
    }

    /** Nothing is there yet, and it would be wasteful to read more than one: a query for one document costs no more than that. */
    private boolean isNextAlone() {
        return at + 1 >= entries.size() && (most() == 1 || !hasMemory());
    }

    private boolean hasMemory() {
        return memory.bytes() > 0 || memory.growIfFree(HELD_BYTES_MAX);
    }

    private int most() {
        return reading.isToBeSuspended() ? 1 : Math.clamp(wanted - given, 1, next);
    }

    private @Nullable Entry alone() {
        Entry found = unknown();
        if (found != null) {
            document = reading.snapshot().get(Table.DOCUMENTS, found.document());
            next = 2;
        }
        return found;
    }

    private @Nullable Entry ofSeveral() {
        if (at + 1 < entries.size()) {
            at++;
        } else if (!fill()) {
            return null;
        }
        if (at >= documents.size()) {
            fetch();
        }
        document = documents.get(at);
        return entries.get(at);
    }

    /** The next entry that leads to a document that is not known yet; null after the last. */
    private @Nullable Entry unknown() {
        while (keys.next()) {
            byte[] key = keys.key();
            byte[] leadsTo = index.documentKey(key);
            if (isNew.test(leadsTo)) {
                return new Entry(key, leadsTo, keys.examined());
            }
        }
        return null;
    }

    private boolean fill() {
        int most = most();
        entries.clear();
        documents = List.of();
        at = 0;
        long bytes = 0;
        while (entries.size() < most && bytes < KEY_BYTES_MAX) {
            Entry found = unknown();
            if (found == null) {
                break;
            }
            entries.add(found);
            bytes += found.key().length + found.document().length;
        }
        return !entries.isEmpty();
    }

    private void fetch() {
        entries.subList(0, at).clear();
        at = 0;
        List<Entry> affordable = hasMemory() ? entries : entries.subList(0, 1);
        documents = reading.snapshot()
                .get(Table.DOCUMENTS, affordable.stream().map(Entry::document).toList());
        // Where they are large, no more keys than that are worth having.
        next = Math.clamp(2L * documents.size(), 2, ENTRIES_MAX);
    }

    /** Null before the first. */
    byte @Nullable [] key() {
        Entry entry = current;
        return entry == null ? null : entry.key();
    }

    byte[] documentKey() {
        Entry entry = current;
        if (entry == null) {
            throw new IllegalStateException("no entry");
        }
        return entry.document();
    }

    RawDocument document() {
        byte[] found = document;
        if (found == null) {
            throw new IllegalStateException("an entry of " + index + " leads to no document");
        }
        return RawDocument.of(found);
    }

    /** How many keys have been looked at for what it has given. */
    long examined() {
        return examined;
    }

    /** Gives back the documents, which are read again when they are wanted. */
    void pause() {
        documents = List.of();
        memory.close();
    }
}
