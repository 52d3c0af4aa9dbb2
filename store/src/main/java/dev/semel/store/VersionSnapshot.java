package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One user's hold on a {@link Version}. */
final class VersionSnapshot implements Snapshot {
    private final Version version;
    private boolean closed;

    /** Takes over one acquired use of the version. */
    VersionSnapshot(Version version) {
        this.version = version;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        return engine().get(table, key);
    }

    @Override
    public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
        return engine().get(table, keys);
    }

    @Override
    public Scan scan(Table table, KeyRange range, boolean reverse) {
        return engine().scan(table, range, reverse);
    }

    @Override
    public long clusterTime() {
        return version.clusterTime;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            version.release();
        }
    }

    Version version() {
        return version;
    }

    /** Reading what is closed must fail here: in the engine it would be a read of freed memory. */
    private Snapshot engine() {
        if (closed) {
            throw new IllegalStateException("the snapshot is closed");
        }
        return version.engine;
    }
}
