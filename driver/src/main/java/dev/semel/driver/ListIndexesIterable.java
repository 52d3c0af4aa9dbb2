package dev.semel.driver;

import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import java.util.Collections;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code listIndexes}. A collection that does not exist has no indexes. */
public final class ListIndexesIterable<T> extends TimedIterable<T, ListIndexesIterable<T>> {
    private final MongoNamespace namespace;

    ListIndexesIterable(Scope scope, @Nullable ClientSession session, MongoNamespace namespace, Decoder<T> decoder) {
        super(scope, session, decoder);
        this.namespace = namespace;
    }

    @Override
    ListIndexesIterable<T> self() {
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        try {
            return list("listIndexes", namespace.databaseName(), this::write, CursorPage::of);
        } catch (MongoCommandException e) {
            if (NamespaceErrors.isNotFound(e)) {
                return new ReceivedCursor<>(Collections.emptyIterator(), e.getServerAddress());
            }
            throw e;
        }
    }

    private void write(Fields fields) {
        fields.put("listIndexes", namespace.collectionName());
        writeCursor(fields);
        fields.put("comment", comment());
    }
}
