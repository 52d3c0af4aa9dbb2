package dev.semel.query.pipeline;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    /** What a group of documents and of their partners take, but for the last one of each. */
    private static final long HELD_BYTES_MAX = 2 * DOCUMENT_BYTES_MAX;

    private final Lookup lookup;
    private final Lookup.On on;
    private final Source in;
    private final Others.ById byId;
    private final Execution execution;

    private final List<Waiting> waiting = new ArrayList<>();

    /** Of all that are waiting, one after the other. */
    private final List<byte[]> keys = new ArrayList<>();

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

    /**
     * A document.
     *
     * @param metadata what was known of it when it was read
     * @param keysEnd the place behind its last key
     * @param isQueried whether its partners are found by a query and not by keys
     */
    private record Waiting(RawDocument document, RawDocument metadata, int keysEnd, boolean isQueried) {}

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
        execution.environment().metadata(current.metadata);
        if (current.isQueried) {
            query = lookup.partners(current.document, execution);
        }
        return current.document;
    }

    /** False at the end. */
    private boolean fill() {
        waiting.clear();
        keys.clear();
        partners = List.of();
        partnersFrom = 0;
        at = 0;
        CommandException failed = failure;
        if (failed != null) {
            throw failed;
        }
        hasMemory = hasMemory || (most > 1 && execution.memory().growIfFree(HELD_BYTES_MAX));
        long bytes = 0;
        while (waiting.size() < (hasMemory ? most : 1) && bytes < DOCUMENT_BYTES_MAX) {
            RawDocument next = waiting.isEmpty() ? in.next() : nextOrFailure();
            if (next == null) {
                break;
            }
            boolean isQueried = !addKeys(next);
            waiting.add(new Waiting(next, execution.environment().metadata(), keys.size(), isQueried));
            bytes += next.length();
        }
        most = Math.min(2 * most, DOCUMENTS_MAX);
        return !waiting.isEmpty();
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
            }
            RawDocument partner = partners.get(nextKey - partnersFrom);
            nextKey++;
            if (partner != null) {
                return partner;
            }
        }
        return null;
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
        waiting.clear();
        keys.clear();
        partners = List.of();
    }
}
