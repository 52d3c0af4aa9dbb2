package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.topology.ServerBinding;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Builds and runs {@code listDatabases}; all databases come in one reply. */
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

    /** Whether sizes are omitted, which is faster. */
    public ListDatabasesIterable<T> nameOnly(boolean value) {
        nameOnly = value;
        return this;
    }

    /** Whether only the databases are listed that the user may use; null: only if the user may not list all. */
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

    private static CursorPage page(Reply reply, ServerBinding server) {
        RawDocument databases =
                reply.body().get("databases") instanceof Value.Array(RawDocument all) ? all : RawDocument.EMPTY;
        return CursorPage.last(databases, server);
    }
}
