package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Undo rows of commits that were applied before their log had committed them. A row of {@link Table#UNDO} is written
 * together with each group of them and deleted when the log has committed them; the rows that are there when a database
 * is opened are applied, newest first. Numbers have the highest byte first:
 *
 * <pre>
 * key    sequence number of the last commit of the group (8)
 * value  term, sequence number and cluster time before the group (8 each), then for each row of the group:
 *        table (1), length of the key (4), key, length of the value before (4, -1 for none), value
 * </pre>
 */
final class Undo {
    /** Larger undo rows are not kept: such commits are applied when the log has them. */
    static final int BYTES_MAX = 4 << 20;

    private static final int HEAD_BYTES = 3 * Long.BYTES;
    private static final int ROW_HEAD_BYTES = 1 + 2 * Integer.BYTES;
    private static final int ABSENT = -1;

    private Undo() {}

    private record Row(Table table, byte[] key, byte @Nullable [] value) {}

    static byte[] key(long sequence) {
        return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
    }

    /** What to write back in order to be where the snapshot and the position are; null if that is not known or too long. */
    static byte @Nullable [] before(List<CommitRecord> group, Position position, Snapshot snapshot) {
        List<Row> rows = new ArrayList<>();
        long length = HEAD_BYTES;
        for (CommitRecord each : group) {
            Batch changed = each.rows();
            if (each.staged() != null || changed.hasRanges()) {
                return null;
            }
            for (int i = 0; i < changed.size(); i++) {
                Row row = row(changed, i, snapshot);
                rows.add(row);
                length += ROW_HEAD_BYTES + row.key.length + (row.value == null ? 0 : row.value.length);
                if (length > BYTES_MAX) {
                    return null;
                }
            }
        }
        ByteBuffer out = ByteBuffer.allocate((int) length)
                .putLong(position.term())
                .putLong(position.sequence())
                .putLong(position.clusterTime());
        for (Row each : rows) {
            out.put((byte) each.table.index()).putInt(each.key.length).put(each.key);
            out.putInt(each.value == null ? ABSENT : each.value.length);
            if (each.value != null) {
                out.put(each.value);
            }
        }
        return out.array();
    }

    private static Row row(Batch changed, int i, Snapshot snapshot) {
        Table table = changed.table(i);
        byte[] key = changed.key(i);
        // An operation that is new has a time that no other had.
        boolean isNew = table == Table.OPLOG && changed.value(i) != null;
        return new Row(table, key, isNew ? null : snapshot.get(table, key));
    }

    /** Brings a database to where its log is; before anything else looks at it. */
    static void takeBack(Store store) {
        Batch batch = new Batch();
        Position position = store.position();
        try (Snapshot snapshot = store.snapshot(position.clusterTime());
                Scan scan = snapshot.scan(Table.UNDO, KeyRange.ALL, true)) {
            while (scan.next()) {
                position = add(ByteBuffer.wrap(scan.value()), batch).at(position.log());
                batch.delete(Table.UNDO, scan.key());
            }
        }
        if (batch.size() > 0) {
            batch.position(position);
            store.write(batch, true);
        }
    }

    private static Position add(ByteBuffer row, Batch batch) {
        Position before = new Position(row.getLong(), row.getLong(), row.getLong());
        while (row.hasRemaining()) {
            Table table = Table.at(row.get());
            byte[] key = bytes(row, row.getInt());
            int length = row.getInt();
            if (length == ABSENT) {
                batch.delete(table, key);
            } else {
                batch.put(table, key, bytes(row, length));
            }
        }
        return before;
    }

    private static byte[] bytes(ByteBuffer row, int length) {
        byte[] bytes = new byte[length];
        row.get(bytes);
        return bytes;
    }
}
