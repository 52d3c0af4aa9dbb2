package dev.semel.cli.transfer;

import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How far a transfer is: a bar where a person watches, nothing elsewhere, and a rate in either case. */
public final class Progress implements AutoCloseable {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final LongSupplier nanos;
    private final long start;
    private final @Nullable ProgressBar bar;
    private long documents;

    private Progress(LongSupplier nanos, @Nullable ProgressBar bar) {
        this.nanos = nanos;
        this.start = nanos.getAsLong();
        this.bar = bar;
    }

    public static Progress silent(LongSupplier nanos) {
        return new Progress(nanos, null);
    }

    /**
     * A bar on standard error.
     *
     * @param bytes the size of the file, -1 if it is not known
     */
    public static Progress shown(String task, long bytes, LongSupplier nanos) {
        var bar = new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(bytes)
                .setUnit(" MB", 1 << 20)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(System.err))
                .build();
        return new Progress(nanos, bar);
    }

    void to(long bytesRead, long documentsDone) {
        documents = documentsDone;
        if (bar != null) {
            bar.stepTo(bytesRead);
            bar.setExtraMessage(String.format(Locale.ROOT, " %,d documents, %,.0f/s", documents, perSecond()));
        }
    }

    double seconds() {
        return (double) (nanos.getAsLong() - start) / NANOS_PER_SECOND;
    }

    double perSecond() {
        return documents / Math.max(seconds(), 1e-9);
    }

    @Override
    public void close() {
        finish();
    }

    /** Leaves the bar as it is, and the line to what comes next. */
    public void finish() {
        if (bar != null) {
            bar.close();
        }
    }
}
