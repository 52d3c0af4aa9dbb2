package dev.semel.query.pipeline;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads several documents before it is asked for them, and what belongs to these by {@code _id}, all together: that costs a small
 * part of what a query for each would. The first time it is one document, then twice as many each time.
 */
final class PairingById implements Pairing {
    private static final int DOCUMENTS_MAX = 64;

    /** With documents of that size no further one is read ahead. */
    private static final long DOCUMENT_BYTES_MAX = 64 << 10;

    /** With as many keys no further document is read ahead; one that has more than half of that begins a group. */
    private static final long KEY_BYTES_MAX = 128 << 10;

    /** What a group of documents, of their keys and of their partners take, but for the last one of each. */
    private static final long HELD_BYTES_MAX = 2 * DOCUMENT_BYTES_MAX + KEY_BYTES_MAX;

    private final Lookup lookup;
    private final Lookup.On on;
    private final Source in;
    private final Others.ById byId;
    private final Execution execution;

    private final List<Waiting> waiting = new ArrayList<>();

    /** Of all that are waiting, one after the other. */
    private final List<byte[]> keys = new ArrayList<>();

    /** What is counted of the keys of the first one, or of the values that the current one looks for by a query. */
    private long keyBytes;

    /** Has been read, and begins the next group. */
    private @Nullable Read ahead;

    /** What the keys from this place on lead to. */
    private List<@Nullable RawDocument> partners = List.of();

    private int partnersFrom;

    /** The place of the current one. */
    private int at = -1;

    /** The place of the next key of the current one. */
    private int nextKey;

    private @Nullable Source query;
    private int most = 1;
    private boolean hasMemory;

    /** Of the document behind those that are waiting. */
    private @Nullable CommandException failure;

    /** A document, and what was known of it when it was read. */
    private record Read(RawDocument document, RawDocument metadata) {}

    /**
     * One whose turn comes.
     *
     * @param keysEnd the place behind its last key
     * @param isQueried whether its partners are found by a query and not by keys
     */
    private record Waiting(Read read, int keysEnd, boolean isQueried) {
        RawDocument document() {
            return read.document;
        }
    }

    PairingById(Lookup lookup, Lookup.On on, Source in, Others.ById byId, Execution execution) {
        this.lookup = lookup;
        this.on = on;
        this.in = in;
        this.byId = byId;
        this.execution = execution;
    }

    @Override
    public @Nullable RawDocument document() {
        closeQuery();
        execution.environment().checkpoint();
        at++;
        if (at >= waiting.size() && !fill()) {
            return null;
        }
        Waiting current = waiting.get(at);
        nextKey = at == 0 ? 0 : waiting.get(at - 1).keysEnd;
        execution.environment().metadata(current.read.metadata);
        if (current.isQueried) {
            keyBytes = execution.holdInstead(keyBytes, lookup.keyBytes(current.document()));
            query = lookup.partners(current.document(), execution);
        }
        return current.document();
    }

    /** False at the end. */
    private boolean fill() {
        waiting.clear();
        keys.clear();
        keyBytes = execution.holdInstead(keyBytes, 0);
        partners = List.of();
        partnersFrom = 0;
        at = 0;
        CommandException failed = failure;
        if (failed != null) {
            throw failed;
        }
        hasMemory = hasMemory || (most > 1 && execution.memory().growIfFree(HELD_BYTES_MAX));
        long bytes = 0;
        long allKeyBytes = 0;
        while (waiting.size() < (hasMemory ? most : 1) && bytes < DOCUMENT_BYTES_MAX && allKeyBytes < KEY_BYTES_MAX) {
            Read next = read();
            if (next == null) {
                break;
            }
            long more = lookup.keyBytes(next.document);
            if (waiting.isEmpty()) {
                keyBytes = execution.holdInstead(0, more);
            } else if (more > KEY_BYTES_MAX / 2) {
                ahead = next;
                break;
            }
            boolean isQueried = !addKeys(next.document);
            waiting.add(new Waiting(next, keys.size(), isQueried));
            bytes += next.document.length();
            allKeyBytes += more;
        }
        most = Math.min(2 * most, DOCUMENTS_MAX);
        return !waiting.isEmpty();
    }

    private @Nullable Read read() {
        Read next = ahead;
        if (next != null) {
            ahead = null;
            return next;
        }
        RawDocument document = waiting.isEmpty() ? in.next() : nextOrFailure();
        return document == null
                ? null
                : new Read(document, execution.environment().metadata());
    }

    /** It may be that nobody asks for so many. */
    private @Nullable RawDocument nextOrFailure() {
        try {
            return in.next();
        } catch (CommandException e) {
            failure = e;
            return null;
        }
    }

    /** False, and nothing was added, if it takes a query. */
    private boolean addKeys(RawDocument document) {
        List<Value> values = Lookup.values(document, on);
        if (values.size() == 1) {
            byte[] key = byId.key(values.getFirst());
            return key != null && keys.add(key);
        }
        // In the order in which a query finds them, each once.
        TreeSet<byte[]> several = new TreeSet<>(Arrays::compareUnsigned);
        for (Value each : values) {
            byte[] key = byId.key(each);
            if (key == null) {
                return false;
            }
            several.add(key);
        }
        return keys.addAll(several);
    }

    @Override
    public @Nullable RawDocument partner() {
        if (query != null) {
            return query.next();
        }
        Waiting current = waiting.get(at);
        while (nextKey < current.keysEnd) {
            if (nextKey >= partnersFrom + partners.size()) {
                partnersFrom = nextKey;
                partners = byId.get(keys.subList(nextKey, hasMemory ? keys.size() : nextKey + 1));
                count(partners);
            }
            RawDocument partner = partners.get(nextKey - partnersFrom);
            nextKey++;
            if (partner != null) {
                return partner;
            }
        }
        return null;
    }

    private void count(List<@Nullable RawDocument> found) {
        ReadStatistics statistics = execution.statistics();
        if (statistics != null) {
            long documents = found.stream().filter(Objects::nonNull).count();
            statistics.add(documents, documents, 0, List.of(byId.index()));
        }
    }

    private void closeQuery() {
        Source open = query;
        if (open != null) {
            query = null;
            open.close();
        }
    }

    @Override
    public void close() {
        closeQuery();
        in.close();
        ahead = null;
        waiting.clear();
        keys.clear();
        partners = List.of();
    }
}
