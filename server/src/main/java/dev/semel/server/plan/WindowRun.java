package dev.semel.server.plan;

import dev.semel.query.geo.Locations;
import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** Leaves out the first documents, and those beyond a limit. */
final class WindowRun extends DerivedRun {
    private long toSkip;
    private long left;

    WindowRun(Run input, long skip, long limit, Reading reading) {
        super(input, reading);
        this.toSkip = skip;
        this.left = limit;
    }

    @Override
    boolean move() {
        for (; toSkip > 0; toSkip--) {
            if (!input().next()) {
                toSkip = reading().isSuspended() ? toSkip : 0;
                return false;
            }
        }
        if (left == 0 || !input().next()) {
            return false;
        }
        left--;
        return true;
    }

    @Override
    public boolean isExhausted() {
        return left == 0 || input().isExhausted();
    }

    @Override
    public RawDocument document() {
        return input().document();
    }

    @Override
    public byte[] key() {
        return input().key();
    }

    @Override
    public RawDocument metadata() {
        return input().metadata();
    }

    @Override
    public Locations.@Nullable Nearest nearest() {
        return input().nearest();
    }

    @Override
    byte @Nullable [] entryKey() {
        return input().entryKey();
    }

    @Override
    @Nullable
    Index index() {
        return input().index();
    }
}
