package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.ArrayDeque;
import java.util.Deque;

/** Sends the rows of a large commit to the other nodes as {@link Chunks}, beside the files of this one. For one thread. */
final class ChunkWriter implements Batch.Target, AutoCloseable {
    /** Small enough to be committed together with what others write; one row may be larger. */
    private static final int BYTES_MAX = 256 << 10;

    /** Others would have to wait behind more. */
    private static final int COMMITS_IN_FLIGHT_MAX = 4;

    private static final Originator NOBODY = new Originator() {
        @Override
        public void applying(long clusterTime) {}

        @Override
        public void applied() {}

        @Override
        public void lost() {}
    };

    private final CommitLog log;
    private final Batch.Target files;
    private final long term;
    private final long number;
    private final Deque<Commit> inFlight = new ArrayDeque<>(COMMITS_IN_FLIGHT_MAX);
    private RecordCodec.RowBytes rows = new RecordCodec.RowBytes(BYTES_MAX);
    private int count;
    private boolean isFinished;

    ChunkWriter(CommitLog log, Batch.Target files, long term, long number) {
        this.log = log;
        this.files = files;
        this.term = term;
        this.number = number;
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        files.put(table, key, value);
        rows.put(table, key, value);
        sendIfLarge();
    }

    @Override
    public void delete(Table table, byte[] key) {
        files.delete(table, key);
        rows.delete(table, key);
        sendIfLarge();
    }

    @Override
    public void deleteRange(Table table, KeyRange range) {
        throw new IllegalArgumentException("ranges are not staged");
    }

    private void sendIfLarge() {
        if (rows.length() >= BYTES_MAX) {
            send();
        }
    }

    private void send() {
        CommitDraft draft = new CommitDraft(null);
        draft.onlyIn(term);
        draft.put(Table.CHUNKS, new Chunks(term, number, count).key(count), rows.finish());
        rows = new RecordCodec.RowBytes(BYTES_MAX);
        count++;
        awaitInFlight(COMMITS_IN_FLIGHT_MAX - 1);
        inFlight.add(log.append(draft, NOBODY));
    }

    private void awaitInFlight(int allowed) {
        while (inFlight.size() > allowed) {
            inFlight.remove().awaitDurable();
        }
    }

    /** All of them are on their way to stay. */
    Chunks finish() {
        if (rows.length() > 0) {
            send();
        }
        awaitInFlight(0);
        isFinished = true;
        return new Chunks(term, number, count);
    }

    /** Removes them if they are not complete. */
    @Override
    public void close() {
        if (!isFinished && count > 0) {
            remove(log, new Chunks(term, number, count));
        }
    }

    /** The commit that they belong to will not come. If this node is not primary any more, the next one removes them. */
    static void remove(CommitLog log, Chunks chunks) {
        CommitDraft draft = new CommitDraft(null);
        draft.onlyIn(chunks.term());
        draft.rows().deleteRange(Table.CHUNKS, chunks.keys());
        log.append(draft, NOBODY);
    }
}
