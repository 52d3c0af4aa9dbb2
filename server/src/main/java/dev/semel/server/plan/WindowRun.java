package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leaves out the first documents, and those beyond a limit. */
final class WindowRun extends Run {
    private final Run input;
    private long toSkip;
    private long left;

    WindowRun(Run input, long skip, long limit, Reading reading) {
        super(reading);
        this.input = input;
        this.toSkip = skip;
        this.left = limit;
    }

    @Override
    boolean move() {
        for (; toSkip > 0; toSkip--) {
            if (!input.next()) {
                toSkip = 0;
                return false;
            }
        }
        if (left == 0 || !input.next()) {
            return false;
        }
        left--;
        return true;
    }

    @Override
    public boolean isExhausted() {
        return left == 0 || input.isExhausted();
    }

    @Override
    void addExtents(List<Extent> extents) {
        input.addExtents(extents);
    }

    Run input() {
        return input;
    }

    @Override
    public RawDocument document() {
        return input.document();
    }

    @Override
    public byte[] key() {
        return input.key();
    }

    @Override
    byte @Nullable [] entryKey() {
        return input.entryKey();
    }

    @Override
    @Nullable
    Index index() {
        return input.index();
    }

    @Override
    public long keysExamined() {
        return input.keysExamined();
    }

    @Override
    public long documentsExamined() {
        return input.documentsExamined();
    }

    @Override
    public void pause() {
        input.pause();
    }
}
