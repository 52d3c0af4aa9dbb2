package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.server.plan.Decision;
import dev.semel.server.plan.Run;
import dev.semel.store.Snapshot;
import dev.semel.wire.bson.RawDocument;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a query finds in one snapshot, shaped as the client wants it. */
public final class Found implements Documents {
    private final Decision decision;
    private final Snapshot snapshot;
    private final CurrentCall current;
    private final Function<Run, RawDocument> shape;
    private final long limit;
    private long returned;
    private long keysExamined;
    private long documentsExamined;
    private @Nullable Run rows;

    /**
     * Takes over the snapshot, and the run if one was begun.
     *
     * @param limit of the plan's query: after that many documents it is known that there are no more; 0 for none
     */
    public Found(
            Decision decision, Snapshot snapshot, CurrentCall current, Function<Run, RawDocument> shape, long limit) {
        this.decision = decision;
        this.snapshot = snapshot;
        this.current = current;
        this.shape = shape;
        this.limit = limit;
    }

    @Override
    public void resume(Call call) {
        current.set(call);
        Run paused = rows;
        if (paused == null) {
            rows = decision.open(snapshot, call.interruption());
        } else {
            paused.resume(call.interruption());
        }
    }

    @Override
    public @Nullable RawDocument next() {
        Run open = rows;
        if (open == null || !open.next()) {
            return null;
        }
        returned++;
        return shape.apply(open);
    }

    @Override
    public boolean atEnd() {
        return limit != 0 && returned == limit;
    }

    @Override
    public void pause() {
        Run open = rows;
        if (open != null) {
            note(open);
            open.pause();
        }
    }

    /** For the call that works on it at the moment. */
    private void note(Run open) {
        current.call().examined(open.keysExamined() - keysExamined, open.documentsExamined() - documentsExamined);
        keysExamined = open.keysExamined();
        documentsExamined = open.documentsExamined();
    }

    @Override
    public void close() {
        Run open = rows;
        if (open != null) {
            note(open);
            open.close();
        }
        decision.close();
        snapshot.close();
    }
}
