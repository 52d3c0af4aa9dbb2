package dev.semel.server.cursor;

import dev.semel.query.expression.Environment;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Source;
import dev.semel.server.command.Call;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** What a pipeline makes of another result. */
public final class Piped implements Documents {
    private final Documents input;
    private final Environment environment;
    private final Source results;

    /** Takes over the input. */
    public Piped(Documents input, Pipeline pipeline, boolean allowDiskUse) {
        this.input = input;
        this.environment = pipeline.environment();
        this.results = pipeline.open(
                new Source() {
                    @Override
                    public @Nullable RawDocument next() {
                        return input.next();
                    }

                    @Override
                    public void close() {
                        input.close();
                    }
                },
                allowDiskUse);
    }

    @Override
    public void resume(Call call) {
        input.resume(call);
    }

    @Override
    public @Nullable RawDocument next() {
        return results.next();
    }

    /** A pipeline has no limit that it could report. */
    @Override
    public boolean atEnd() {
        return false;
    }

    @Override
    public void pause() {
        environment.pause();
        input.pause();
    }

    @Override
    public void close() {
        results.close();
    }
}
