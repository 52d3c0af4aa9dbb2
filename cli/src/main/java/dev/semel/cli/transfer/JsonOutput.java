package dev.semel.cli.transfer;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.JsonStyle;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.Writer;

/** A document per line, or an array with a document per line. */
public final class JsonOutput implements Output {
    private final Writer out;
    private final JsonStyle style;
    private final boolean array;
    private boolean first = true;

    public JsonOutput(Writer out, JsonStyle style, boolean array) {
        this.out = out;
        this.style = style;
        this.array = array;
    }

    @Override
    public void write(RawDocument document) throws IOException {
        if (array) {
            out.write(first ? "[\n" : ",\n");
        }
        first = false;
        Json.write(out, document, style);
        if (!array) {
            out.write('\n');
        }
    }

    @Override
    public void close() throws IOException {
        if (array) {
            out.write(first ? "[]\n" : "\n]\n");
        }
        out.close();
    }
}
