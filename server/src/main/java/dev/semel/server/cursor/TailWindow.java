package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A part of a tail: {@code skip} and {@code limit}. */
public final class TailWindow implements Tail {
    private final Tail tail;
    private final long limit;
    private long skips;
    private long returned;

    private TailWindow(Tail tail, long skip, long limit) {
        this.tail = tail;
        this.limit = limit;
        this.skips = skip;
    }

    /**
     * Takes over the tail.
     *
     * @param limit 0 for none
     */
    public static Tail of(Tail tail, long skip, long limit) {
        return skip == 0 && limit == 0 ? tail : new TailWindow(tail, skip, limit);
    }

    @Override
    public void resume(Call call) {
        tail.resume(call);
    }

    @Override
    public @Nullable RawDocument next() {
        if (isFull()) {
            return null;
        }
        RawDocument next = tail.next();
        while (next != null && skips > 0) {
            skips--;
            next = tail.next();
        }
        returned += next == null ? 0 : 1;
        return next;
    }

    private boolean isFull() {
        return limit > 0 && returned >= limit;
    }

    @Override
    public boolean isOver() {
        return isFull() || tail.isOver();
    }

    @Override
    public boolean await(Duration atMost) {
        return tail.await(atMost);
    }

    @Override
    public boolean waits() {
        return tail.waits();
    }

    @Override
    public @Nullable RawDocument resumeToken(@Nullable RawDocument last) {
        return tail.resumeToken(last);
    }

    @Override
    public CommandException told(CommandException failure) {
        return tail.told(failure);
    }

    @Override
    public void pause() {
        tail.pause();
    }

    @Override
    public void close() {
        tail.close();
    }
}
