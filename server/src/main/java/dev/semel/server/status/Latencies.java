package dev.semel.server.status;

import dev.semel.wire.bson.BsonWriter;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How long commands took, as {@code serverStatus.opLatencies} and {@code $collStats.latencyStats} have it. */
public final class Latencies {
    /** Least times of a bar in µs: twice the one before, and halves of that where most commands are. */
    private static final long[] BARS = bars();

    private final Kind reads = new Kind();
    private final Kind writes = new Kind();
    private final Kind commands = new Kind();
    private final Kind transactions = new Kind();

    private static final class Kind {
        private final LongAdder count = new LongAdder();
        private final LongAdder micros = new LongAdder();
        private volatile @Nullable AtomicLongArray bars;

        void count(long took) {
            count.increment();
            micros.add(took);
            AtomicLongArray counted = bars;
            if (counted == null) {
                counted = first();
            }
            int found = Arrays.binarySearch(BARS, took);
            counted.incrementAndGet(found < 0 ? -found - 2 : found);
        }

        /** Most collections have commands of one or two kinds. */
        private synchronized AtomicLongArray first() {
            AtomicLongArray made = bars;
            if (made == null) {
                made = new AtomicLongArray(BARS.length);
                bars = made;
            }
            return made;
        }

        void write(String name, boolean histogram, BsonWriter out) {
            out.startDocument(name);
            if (histogram) {
                out.startArray("histogram");
                AtomicLongArray counted = bars;
                for (int i = 0; counted != null && i < BARS.length; i++) {
                    if (counted.get(i) > 0) {
                        out.startDocument()
                                .put("micros", BARS[i])
                                .put("count", counted.get(i))
                                .end();
                    }
                }
                out.end();
            }
            out.put("latency", micros.sum()).put("ops", count.sum()).end();
        }
    }

    private static long[] bars() {
        long[] bars = new long[64];
        int n = 1;
        for (long from = 2; from <= 1L << 40; from *= 2) {
            bars[n++] = from;
            if (from >= 2048 && from <= 1 << 20) {
                bars[n++] = from + from / 2;
            }
        }
        return Arrays.copyOf(bars, n);
    }

    void count(String command, long nanos) {
        kind(command).count(Math.max(0, nanos / 1000));
    }

    private Kind kind(String command) {
        return switch (command) {
            case "find", "getMore", "aggregate", "count", "distinct" -> reads;
            case "insert", "update", "delete", "findAndModify", "bulkWrite" -> writes;
            case "commitTransaction", "abortTransaction", "rollbackTransaction" -> transactions;
            default -> commands;
        };
    }

    public void write(boolean histograms, BsonWriter out) {
        reads.write("reads", histograms, out);
        writes.write("writes", histograms, out);
        commands.write("commands", histograms, out);
        transactions.write("transactions", histograms, out);
    }
}
