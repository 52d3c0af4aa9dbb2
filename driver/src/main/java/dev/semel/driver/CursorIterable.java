package dev.semel.driver;

import dev.semel.driver.operation.Fields;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/** Options of all operations that open a cursor. Not to be shared between threads. */
public abstract sealed class CursorIterable<T, S extends CursorIterable<T, S>> implements MongoIterable<T>
        permits TimedIterable, ChangeStreamIterable {
    private final Scope scope;
    private final @Nullable ClientSession session;
    private final Decoder<T> decoder;
    private @Nullable BsonValue comment;
    private int batchSize;

    CursorIterable(Scope scope, @Nullable ClientSession session, Decoder<T> decoder) {
        this.scope = scope;
        this.session = session;
        this.decoder = decoder;
    }

    abstract S self();

    /** For the server's log and profiler; sent again with every batch. */
    public S comment(@Nullable BsonValue value) {
        comment = value;
        return self();
    }

    public S comment(String value) {
        return comment(new BsonString(value));
    }

    /** The number of documents in a batch; 0: the server decides. Has no effect on operations with a single batch. */
    @Override
    public S batchSize(int value) {
        batchSize = value;
        return self();
    }

    final Scope scope() {
        return scope;
    }

    final @Nullable ClientSession session() {
        return session;
    }

    final Decoder<T> decoder() {
        return decoder;
    }

    final @Nullable BsonValue comment() {
        return comment;
    }

    final int batchSize() {
        return batchSize;
    }

    final void writeCursor(Fields fields) {
        fields.writer().writeStartDocument("cursor");
        fields.putUnlessZero("batchSize", batchSize);
        fields.writer().writeEndDocument();
    }
}
