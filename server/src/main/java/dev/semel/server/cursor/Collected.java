package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result that was complete before its first batch left. */
public final class Collected implements Documents {
    private final List<RawDocument> all;
    private int next;

    public Collected(List<RawDocument> all) {
        this.all = all;
    }

    @Override
    public void resume(Call call) {}

    @Override
    public @Nullable RawDocument next() {
        return next < all.size() ? all.get(next++) : null;
    }

    @Override
    public boolean atEnd() {
        return next >= all.size();
    }

    @Override
    public void pause() {}

    @Override
    public void close() {}
}
