package dev.semel.driver.operation;

import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.topology.ServerBinding;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** A batch of documents, as bytes, and the cursor that has more of them; its id is 0 where there are no more. */
public record CursorPage(
        long cursorId,
        String namespace,
        RawDocument documents,
        ServerBinding server,
        @Nullable RawDocument postBatchResumeToken,
        @Nullable BsonTimestamp operationTime) {
    /** A cursor that is open keeps the connection if it needs it; the user of the cursor releases it. */
    public static CursorPage of(Reply reply, ServerBinding server) {
        RawDocument cursor = reply.nested("cursor");
        if (cursor == null) {
            throw MalformedReply.exception(reply.address(), "it has no cursor");
        }
        Value batch = cursor.get("firstBatch");
        if (batch == null) {
            batch = cursor.get("nextBatch");
        }
        if (!(batch instanceof Value.Array(RawDocument documents))) {
            throw MalformedReply.exception(reply.address(), "its cursor has no batch");
        }
        String namespace = cursor.get("ns") instanceof Value.Str(var text) ? text.toString() : "";
        long id = Reply.number(cursor.get("id"), 0);
        if (id != 0 && namespace.indexOf('.') < 1) {
            throw MalformedReply.exception(reply.address(), "its cursor has no namespace");
        }
        if (id != 0) {
            server.keepFor(id);
        }
        return new CursorPage(
                id,
                namespace,
                documents,
                server,
                cursor.get("postBatchResumeToken") instanceof Value.Doc(RawDocument token) ? token : null,
                reply.body().get("operationTime") instanceof Value.Timestamp(long value)
                        ? new BsonTimestamp(value)
                        : null);
    }

    /** Everything there is. */
    public static CursorPage last(RawDocument documents, ServerBinding server) {
        return new CursorPage(0, "", documents, server, null, null);
    }

    /** Where a change stream stands behind this batch, if this is one. */
    public @Nullable BsonDocument resumeToken() {
        return postBatchResumeToken == null ? null : Reply.decode(postBatchResumeToken, new BsonDocumentCodec());
    }

    /** Where getMore and killCursors go. */
    MongoNamespace target() {
        int dot = namespace.indexOf('.');
        return new MongoNamespace(namespace.substring(0, dot), namespace.substring(dot + 1));
    }
}
