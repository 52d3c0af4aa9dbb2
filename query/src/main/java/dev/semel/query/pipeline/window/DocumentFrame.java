package dev.semel.query.pipeline.window;

import dev.semel.query.value.Numbers;

/** A window of so many documents before and after the current one. */
final class DocumentFrame implements Frame {
    private final Bound lower;
    private final Bound upper;
    private final Partition partition;
    private long first;
    private long last = -1;

    DocumentFrame(Window.Documents window, Partition partition) {
        this.lower = window.lower();
        this.upper = window.upper();
        this.partition = partition;
    }

    @Override
    public void moveTo(long current) {
        first = switch (lower) {
            case Bound.Unbounded() -> 0;
            case Bound.Current() -> current;
            case Bound.Offset(var distance) -> Math.max(0, current + Numbers.saturatedLong(distance));
        };
        last = switch (upper) {
            case Bound.Unbounded() -> partition.last();
            case Bound.Current() -> current;
            case Bound.Offset(var distance) -> {
                long wanted = current + Numbers.saturatedLong(distance);
                yield wanted < 0 ? -1 : partition.has(wanted) ? wanted : partition.last();
            }
        };
    }

    @Override
    public long first() {
        return first;
    }

    @Override
    public long last() {
        return last;
    }

    @Override
    public long needed() {
        return Long.MAX_VALUE;
    }
}
