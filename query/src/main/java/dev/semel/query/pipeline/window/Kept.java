package dev.semel.query.pipeline.window;

import dev.semel.query.value.Held;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts what a function keeps of one document until it comes to another. */
final class Kept {
    private final Partition partition;
    private long bytes;

    Kept(Partition partition) {
        this.partition = partition;
    }

    /** A copy, instead of what was kept before. */
    @Nullable
    Value copy(@Nullable Value value) {
        if (value == null) {
            instead(0);
            return null;
        }
        instead(Held.bytes(value));
        return Held.copy(value);
    }

    /** Copies, instead of what was kept before. */
    List<Value> copies(List<Value> values) {
        long sum = 0;
        for (Value each : values) {
            sum += Held.bytes(each);
        }
        instead(sum);
        return values.stream().map(Held::copy).toList();
    }

    private void instead(long now) {
        partition.memory().release(bytes);
        bytes = 0;
        partition.memory().charge(now);
        bytes = now;
    }
}
