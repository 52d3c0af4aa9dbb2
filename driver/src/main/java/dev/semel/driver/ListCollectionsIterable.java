package dev.semel.driver;

import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import org.bson.Document;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code listCollections}. */
public final class ListCollectionsIterable<T> extends TimedIterable<T, ListCollectionsIterable<T>> {
    private final String database;
    private final boolean isNames;
    private @Nullable Bson filter;
    private boolean authorizedCollections;

    ListCollectionsIterable(
            Scope scope, @Nullable ClientSession session, String database, Decoder<T> decoder, boolean isNames) {
        super(scope, session, decoder);
        this.database = database;
        this.isNames = isNames;
    }

    public ListCollectionsIterable<T> filter(@Nullable Bson value) {
        filter = value;
        return this;
    }

    /** Whether users without the privilege to list all collections get those they may read. */
    public ListCollectionsIterable<T> authorizedCollections(boolean value) {
        authorizedCollections = value;
        return this;
    }

    @Override
    ListCollectionsIterable<T> self() {
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        return list("listCollections", database, this::write, CursorPage::of);
    }

    private void write(Fields fields) {
        fields.put("listCollections", 1).putIfTrue("nameOnly", isNames && filtersByName());
        writeCursor(fields);
        fields.putBson("filter", filter)
                .putIfTrue("authorizedCollections", authorizedCollections)
                .put("comment", comment());
    }

    /** With {@code nameOnly}, the server can filter by the name only. */
    private boolean filtersByName() {
        return filter == null
                || filter.toBsonDocument(Document.class, scope().codecs()).keySet().stream()
                        .allMatch("name"::equals);
    }
}
