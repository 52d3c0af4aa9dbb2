package dev.semel.server.oplog;

import dev.semel.store.CommitDraft;
import dev.semel.store.Table;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the log, complete but for its time and term.
 *
 * @param timeAt where in the bytes its time goes
 * @param previousAt where the time of the entry before it goes; negative if it names none
 * @param images what its changes have replaced, by position; empty if nothing is kept
 */
record Entry(byte[] bytes, int timeAt, int previousAt, List<byte @Nullable []> images) {
    /** From the value of a time to that of the field {@code t} behind it. */
    private static final int TO_TERM = Long.BYTES + 3;

    private static final long VERSION = 2;
    private static final Value.Timestamp LATER = new Value.Timestamp(0);

    /** The fields {@code ts}, {@code t}, {@code v} and {@code wall}, and the end of the entry. */
    private static final int LAST_BYTES = 12 + 11 + 11 + 14 + 1;

    /** The field {@code prevOpTime}. */
    private static final int PREVIOUS_BYTES = 16 + 12 + 11 + 1;

    /** What its predecessor is, for an entry that belongs to a chain. */
    enum Chain {
        NONE,
        FIRST,
        NEXT
    }

    /** How many bytes {@link #of} adds. */
    static int lastBytes(Chain chain) {
        return LAST_BYTES + (chain == Chain.NONE ? 0 : PREVIOUS_BYTES);
    }

    /** Adds the fields that every entry has and completes it. */
    static Entry of(BsonWriter fields, Chain chain, long wallMillis, List<byte @Nullable []> images) {
        fields.expecting(lastBytes(chain));
        fields.put("ts", LATER);
        int timeAt = fields.length() - Long.BYTES;
        fields.put("t", 0L).put("v", VERSION).put("wall", new Value.Date(wallMillis));
        int previousAt = -1;
        if (chain != Chain.NONE) {
            fields.startDocument("prevOpTime").put("ts", LATER);
            previousAt = chain == Chain.NEXT ? fields.length() - Long.BYTES : -1;
            fields.put("t", -1L).end();
        }
        return new Entry(fields.finish().detached().array(), timeAt, previousAt, images);
    }

    /** As an entry of a commit that may have several, by its position among them. */
    void addTo(CommitDraft draft, int position) {
        draft.times(position + 1);
        draft.bsonTimeAt(bytes, timeAt, position);
        draft.bsonTermAt(bytes, timeAt + TO_TERM);
        if (previousAt >= 0) {
            draft.bsonTimeAt(bytes, previousAt, position - 1);
            draft.bsonTermAt(bytes, previousAt + TO_TERM);
        }
        put(draft, OplogKeys.entry(0), bytes, position);
        for (int i = 0; i < images.size(); i++) {
            byte[] image = images.get(i);
            if (image != null) {
                put(draft, OplogKeys.image(0, i), image, position);
            }
        }
    }

    private static void put(CommitDraft draft, byte[] key, byte[] value, int position) {
        draft.timeAt(key, OplogKeys.TIME_AT, position);
        draft.put(Table.OPLOG, key, value);
    }
}
