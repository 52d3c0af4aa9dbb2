package dev.semel.driver.execution;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonBinaryWriter;
import org.jspecify.annotations.Nullable;

/** The latest cluster time, as the signed document in which it was received: sent to every server, so that all keep up. */
public final class ClusterClock {
    private static final String FIELD = "clusterTime";

    private final AtomicReference<@Nullable RawDocument> latest = new AtomicReference<>();

    public @Nullable RawDocument latest() {
        return latest.get();
    }

    /** Moves forward only. */
    public void advance(@Nullable RawDocument heard) {
        if (heard == null) {
            return;
        }
        RawDocument known = latest.get();
        while (known == null || isLater(heard, known)) {
            // The reply it is part of need not stay in memory for it.
            if (latest.compareAndSet(known, heard.detached())) {
                return;
            }
            known = latest.get();
        }
    }

    static boolean isLater(RawDocument one, RawDocument other) {
        return Long.compareUnsigned(time(one), time(other)) > 0;
    }

    private static long time(RawDocument document) {
        return document.get(FIELD) instanceof Value.Timestamp(long value) ? value : 0;
    }

    /** The later cluster time of the client and of the session. */
    void write(BsonBinaryWriter writer, @Nullable RawDocument ofSession) {
        RawDocument time = latest.get();
        if (time == null || (ofSession != null && isLater(ofSession, time))) {
            time = ofSession;
        }
        if (time != null) {
            writer.writeName("$clusterTime");
            writer.pipe(time.array(), time.offset(), time.length());
        }
    }
}
