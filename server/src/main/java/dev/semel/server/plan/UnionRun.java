package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One input after the other, without what an earlier one has found already. */
final class UnionRun extends Run {
    private final List<Run> inputs;
    private final Seen seen;
    private int at;

    UnionRun(Plan.Union plan, Reading reading) {
        super(reading);
        this.seen = new Seen(plan.memory());
        this.inputs = plan.any().stream()
                .map(each -> each instanceof Plan.IndexScan scan
                        ? new IndexRun(scan, seen, reading)
                        : Runs.open(each, reading))
                .toList();
    }

    @Override
    boolean move() {
        while (at < inputs.size()) {
            Run input = inputs.get(at);
            while (input.next()) {
                if (seen.add(input.key())) {
                    return true;
                }
            }
            if (reading().isSuspended()) {
                return false;
            }
            input.pause();
            at++;
        }
        return false;
    }

    @Override
    void addExtents(List<Extent> extents) {
        for (int i = 0; i <= at && i < inputs.size(); i++) {
            inputs.get(i).addExtents(extents);
        }
    }

    List<Run> inputs() {
        return inputs;
    }

    private Run current() {
        return inputs.get(Math.min(at, inputs.size() - 1));
    }

    @Override
    public RawDocument document() {
        return current().document();
    }

    @Override
    public byte[] key() {
        return current().key();
    }

    @Override
    public RawDocument metadata() {
        return current().metadata();
    }

    @Override
    byte @Nullable [] entryKey() {
        return current().entryKey();
    }

    @Override
    @Nullable
    Index index() {
        return current().index();
    }

    @Override
    public long keysExamined() {
        return inputs.stream().mapToLong(Run::keysExamined).sum();
    }

    @Override
    public long documentsExamined() {
        return inputs.stream().mapToLong(Run::documentsExamined).sum();
    }

    @Override
    public void pause() {
        inputs.forEach(Run::pause);
    }

    @Override
    public void close() {
        inputs.forEach(Run::close);
        seen.close();
    }
}
