package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.topology.Place;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code listDatabases}, put together and then iterated; all databases come in one answer. */
public final class ListDatabasesIterable<T> extends TimedIterable<T, ListDatabasesIterable<T>> {
    private boolean nameOnly;
    private @Nullable Bson filter;
    private @Nullable Boolean authorizedDatabasesOnly;

    ListDatabasesIterable(Scope scope, @Nullable ClientSession session, Decoder<T> decoder, boolean nameOnly) {
        super(scope, session, decoder);
        this.nameOnly = nameOnly;
    }

    public ListDatabasesIterable<T> filter(@Nullable Bson value) {
        filter = value;
        return this;
    }

    /** Whether sizes are left out, which takes the server less time. */
    public ListDatabasesIterable<T> nameOnly(boolean value) {
        nameOnly = value;
        return this;
    }

    /** Whether only those are named that the user may use; null: those, where the user may not see all. */
    public ListDatabasesIterable<T> authorizedDatabasesOnly(@Nullable Boolean value) {
        authorizedDatabasesOnly = value;
        return this;
    }

    @Override
    ListDatabasesIterable<T> self() {
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        return list("listDatabases", "admin", this::write, ListDatabasesIterable::page);
    }

    private void write(Fields fields) {
        fields.put("listDatabases", 1)
                .putIfTrue("nameOnly", nameOnly)
                .putBson("filter", filter)
                .put("authorizedDatabases", authorizedDatabasesOnly)
                .put("comment", comment());
    }

    private static CursorPage page(Reply reply, Place server) {
        RawDocument databases =
                reply.body().get("databases") instanceof Value.Array(RawDocument all) ? all : RawDocument.EMPTY;
        return CursorPage.last(databases, server);
    }
}
