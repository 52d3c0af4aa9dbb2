package dev.semel.server.plan;

import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.pipeline.MemoryBudget;
import dev.semel.query.text.TextMatcher;
import dev.semel.server.catalog.Index;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.Reservation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The documents with any of the terms of a search. The entries of a term come in the order of their scores, the best
 * first, so a search for one term needs no more of them than the caller asks for. The scores of several terms have to be
 * added up before the best document is known: then all their entries are read, but of the documents only those that the
 * caller asks for.
 */
final class SearchRun extends PositionedRun {
    /** What an entry takes that waits for its document, beside its keys: an estimate. */
    private static final int POSTING_BYTES = 200;

    private static final int SEEN_BYTES = 96;

    private final Plan.Search plan;
    private final Index index;
    private final TextMatcher matcher;
    private final boolean takesAll;
    private final List<KeyRange> terms;
    private final Reservation reservation;
    private final MemoryBudget budget;
    private final Set<ByteBuffer> seen = new HashSet<>();
    private @Nullable Queue<Posting> ranked;
    private @Nullable KeyScan scan;
    private int nextTerm;
    private long keys;
    private long fetched;
    private long rejected;
    private @Nullable Posting current;

    /** An entry that leads to a document, and the score of the document so far. */
    private static final class Posting implements Comparable<Posting> {
        private final byte[] entry;
        private final byte[] key;
        private final long arrival;
        private double score;

        Posting(byte[] entry, byte[] key, long arrival, double score) {
            this.entry = entry;
            this.key = key;
            this.arrival = arrival;
            this.score = score;
        }

        @Override
        public int compareTo(Posting other) {
            int best = Double.compare(other.score, score);
            return best != 0 ? best : Long.compare(arrival, other.arrival);
        }

        int bytes() {
            return POSTING_BYTES + entry.length + key.length;
        }
    }

    SearchRun(Plan.Search plan, Reading reading) {
        super(reading);
        this.plan = plan;
        this.index = plan.index();
        this.matcher = new TextMatcher(plan.query(), reading::checkpoint);
        this.takesAll = plan.filter() instanceof Filter.Always(boolean answer) && answer;
        this.terms = plan.ranges();
        this.reservation = plan.memory().all().open();
        this.budget = MemoryBudget.inMemory("text search", plan.memory(), reservation);
    }

    @Override
    boolean move() {
        for (Posting next = posting(); next != null; next = posting()) {
            RawDocument document = fetch(next.key);
            if ((takesAll || plan.filter().matches(document)) && matches(document)) {
                current = next;
                standOn(next.key, document);
                return true;
            }
        }
        return false;
    }

    private boolean matches(RawDocument document) {
        boolean matches = matcher.matches(document);
        rejected += matches ? 0 : 1;
        return matches;
    }

    private @Nullable Posting posting() {
        if (!plan.scored() || terms.size() == 1) {
            return unranked();
        }
        Queue<Posting> waiting = ranked == null ? rank() : ranked;
        Posting best = waiting.poll();
        if (best != null) {
            budget.release(best.bytes());
        }
        return best;
    }

    /** The next entry that leads to a document that no other led to. */
    private @Nullable Posting unranked() {
        for (Posting next = entry(); next != null; next = entry()) {
            if (terms.size() == 1) {
                return next;
            }
            if (seen.add(ByteBuffer.wrap(next.key))) {
                budget.charge(SEEN_BYTES + next.key.length);
                return next;
            }
        }
        return null;
    }

    private @Nullable Posting entry() {
        while (true) {
            KeyScan open = scan;
            if (open == null) {
                if (nextTerm == terms.size()) {
                    return null;
                }
                open = new KeyScan(index, KeyBounds.of(terms.get(nextTerm++)), true, reading());
                scan = open;
            }
            if (open.next()) {
                byte[] entry = open.key();
                return new Posting(entry, index.documentKey(entry), 0, plan.scored() ? index.score(entry) : 0);
            }
            keys += open.examined();
            open.close();
            scan = null;
        }
    }

    private Queue<Posting> rank() {
        Map<ByteBuffer, Posting> byKey = new HashMap<>();
        for (Posting next = entry(); next != null; next = entry()) {
            Posting known = byKey.get(ByteBuffer.wrap(next.key));
            if (known != null) {
                known.score += next.score;
                continue;
            }
            Posting first = new Posting(next.entry, next.key, byKey.size(), next.score);
            budget.charge(first.bytes());
            byKey.put(ByteBuffer.wrap(first.key), first);
        }
        Queue<Posting> best = new PriorityQueue<>(new ArrayList<>(byKey.values()));
        ranked = best;
        return best;
    }

    private RawDocument fetch(byte[] key) {
        reading().fetched(key);
        byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, key);
        if (bytes == null) {
            throw new IllegalStateException("an entry of " + index + " leads to no document");
        }
        fetched++;
        return RawDocument.of(bytes);
    }

    @Override
    public RawDocument metadata() {
        return plan.scored()
                ? new BsonWriter(32).put(Metadata.TEXT_SCORE, current().score).finish()
                : RawDocument.EMPTY;
    }

    private Posting current() {
        Posting found = current;
        if (found == null) {
            throw new IllegalStateException("no document");
        }
        return found;
    }

    @Override
    byte @Nullable [] entryKey() {
        return current().entry;
    }

    @Override
    Index index() {
        return index;
    }

    @Override
    public long keysExamined() {
        return keys + (scan == null ? 0 : scan.examined());
    }

    @Override
    public long documentsExamined() {
        return fetched;
    }

    /** How many documents had a term and were no match after all. */
    long rejected() {
        return rejected;
    }

    @Override
    void addExtents(List<Extent> extents) {
        Extents.addTerms(plan, extents);
    }

    @Override
    public void pause() {
        if (scan != null) {
            scan.close();
        }
    }

    @Override
    public void close() {
        super.close();
        ranked = null;
        seen.clear();
        reservation.close();
    }
}
