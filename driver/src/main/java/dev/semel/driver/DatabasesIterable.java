package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.topology.Server;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** {@code listDatabases}, iterated; all databases come in one answer. */
public final class DatabasesIterable implements MongoIterable<Document> {
    private final Scope scope;
    private final @Nullable ClientSession session;
    private final boolean nameOnly;
    private @Nullable Bson filter;

    DatabasesIterable(Scope scope, @Nullable ClientSession session, boolean nameOnly) {
        this.scope = scope;
        this.session = session;
        this.nameOnly = nameOnly;
    }

    public DatabasesIterable filter(@Nullable Bson value) {
        filter = value;
        return this;
    }

    @Override
    public MongoCursor<Document> cursor() {
        var operation = CommandOperation.read(
                "listDatabases",
                "admin",
                ReadPreference.primary(),
                null,
                scope.codecs(),
                fields -> fields.put("listDatabases", 1)
                        .putIfTrue("nameOnly", nameOnly)
                        .putBson("filter", filter),
                DatabasesIterable::page);
        return scope.open(operation, session, scope.codecs().get(Document.class), Fetch.DEFAULT);
    }

    private static CursorPage page(Reply reply, Server server) {
        RawDocument databases =
                reply.body().get("databases") instanceof Value.Array(RawDocument all) ? all : RawDocument.EMPTY;
        return new CursorPage(0, "", databases, server, null, null);
    }

    /** There are no batches. */
    @Override
    public DatabasesIterable batchSize(int value) {
        return this;
    }
}
