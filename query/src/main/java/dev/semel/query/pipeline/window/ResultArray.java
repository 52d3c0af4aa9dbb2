package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Environment;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;

/** An array that a function returns. It is counted while it is written, and until the document has got all its fields. */
final class ResultArray {
    private final Environment environment;
    private final long mark;
    private final BsonWriter writer = new BsonWriter(64);

    ResultArray(Environment environment) {
        this.environment = environment;
        this.mark = environment.mark();
    }

    void add(Value element) {
        writer.add(element);
        environment.building(mark, writer);
    }

    Value finish() {
        return writer.finishArray();
    }
}
