package dev.semel.cli.transfer;

import dev.semel.wire.bson.RawDocument;
import java.io.Closeable;
import java.io.IOException;

/** A file that documents are written to, in one of the forms that {@code export} knows. */
public interface Output extends Closeable {
    void write(RawDocument document) throws IOException;
}
