package dev.semel.server.plan;

import java.util.List;

/** Looks at nothing but what its input finds. */
abstract sealed class DerivedRun extends Run permits SortRun, WindowRun {
    private final Run input;

    DerivedRun(Run input, Reading reading) {
        super(reading);
        this.input = input;
    }

    final Run input() {
        return input;
    }

    @Override
    final void addExtents(List<Extent> extents) {
        input.addExtents(extents);
    }

    @Override
    public final long keysExamined() {
        return input.keysExamined();
    }

    @Override
    public final long documentsExamined() {
        return input.documentsExamined();
    }

    @Override
    public void pause() {
        input.pause();
    }

    @Override
    public void close() {
        input.close();
    }
}
