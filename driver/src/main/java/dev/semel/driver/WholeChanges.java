package dev.semel.driver;

import org.bson.codecs.Decoder;

/** A change stream whose changes are decoded as a class of the application. */
record WholeChanges<D>(ChangeStreamIterable<?> stream, Decoder<D> decoder) implements MongoIterable<D> {
    @Override
    public ChangeStreamCursor<D> cursor() {
        return new ChangeStreamCursor<>(stream, decoder);
    }

    @Override
    public WholeChanges<D> batchSize(int value) {
        stream.batchSize(value);
        return this;
    }
}
