package dev.semel.driver.operation;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.Session;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.setting.WriteConcern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * Statements against several collections, sent in as few {@code bulkWrite} commands as the server's limits allow. Each command
 * is judged alone whether it may be retried; what came of its statements comes in a cursor.
 */
public final class ClientBulkWrite {
    private final List<? extends ClientNamespacedWriteModel> models;
    private final ClientBulkWriteOptions options;
    private final WriteConcern writeConcern;
    private final CodecRegistry codecs;
    private final ClientBulkOutcome outcome;

    public ClientBulkWrite(
            List<? extends ClientNamespacedWriteModel> models,
            ClientBulkWriteOptions options,
            WriteConcern ofClient,
            CodecRegistry codecs) {
        this.models = models;
        this.options = options;
        this.codecs = codecs;
        WriteConcern given = options.getWriteConcern();
        writeConcern = given == null ? ofClient : given;
        outcome = new ClientBulkOutcome(options);
    }

    public ClientBulkWriteResult run(Execution execution, Session session, Deadline deadline) {
        if (models.isEmpty()) {
            throw new IllegalArgumentException("A bulk write needs at least one model");
        }
        if (session.inTransaction() && options.getWriteConcern() != null) {
            throw new MongoClientException("Cannot set write concern after starting a transaction");
        }
        boolean isAcknowledged = writeConcern.isAcknowledged() || session.inTransaction();
        if (!isAcknowledged) {
            checkUnacknowledged();
        }
        Map<Integer, BsonValue> ids = new HashMap<>();
        List<ClientStatement> statements = new ArrayList<>(models.size());
        for (int i = 0; i < models.size(); i++) {
            statements.add(ClientStatement.of(i, models.get(i), ids, codecs));
        }
        long operationId = execution.nextOperationId();
        for (int from = 0; from < statements.size() && !(options.isOrdered() && outcome.hasErrors()); ) {
            var batch = new ClientBatch(statements, from, options, writeConcern, codecs);
            try {
                ClientBatch.Done done = execution.run(batch, session, deadline, operationId);
                take(done, from, ids, execution, session, deadline);
                from += done.count();
            } catch (MongoWriteConcernException e) {
                int first = from;
                MalformedReply.check(
                        e.getServerAddress(), () -> takeUnconfirmed(e.getResponse(), batch.count(), first, ids));
                from += batch.count();
            } catch (MongoException e) {
                throw outcome.exception(e);
            }
        }
        if (outcome.hasErrors() || outcome.hasWriteConcernErrors()) {
            throw outcome.exception(null);
        }
        return isAcknowledged ? outcome.result() : ClientBulkWriteResult.UNACKNOWLEDGED;
    }

    private void checkUnacknowledged() {
        if (options.isVerboseResults()) {
            throw new MongoClientException("Cannot request unacknowledged write concern and verbose results");
        }
        if (options.isOrdered()) {
            throw new MongoClientException("Cannot request unacknowledged write concern and ordered writes");
        }
    }

    private void take(
            ClientBatch.Done done,
            int from,
            Map<Integer, BsonValue> ids,
            Execution execution,
            Session session,
            Deadline deadline) {
        Reply reply = done.reply();
        CursorPage page = done.page();
        if (reply == null || page == null) {
            return;
        }
        MalformedReply.check(reply.address(), () -> outcome.count(reply.document(), done.count()));
        var fetching =
                new BatchCursor.Fetching(0, 0, null, options.getComment(), () -> deadline, () -> deadline, codecs);
        // The session is the bulk write's, and outlives this cursor.
        try (var results = BatchCursor.inSession(execution, session, page, new BsonDocumentCodec(), fetching)) {
            while (results.hasNext()) {
                BsonDocument each = results.next();
                MalformedReply.check(page.server().address(), () -> add(each, from, ids));
            }
        }
    }

    private void add(BsonDocument entry, int from, Map<Integer, BsonValue> ids) {
        int index = from + entry.getNumber("idx").intValue();
        outcome.add(index, models.get(index), ids.get(index), entry);
    }

    /** The statements were done, but the last attempt, too, ended with an error of the write concern. */
    private void takeUnconfirmed(BsonDocument reply, int count, int from, Map<Integer, BsonValue> ids) {
        outcome.count(reply, count);
        reply.getDocument("cursor").getArray("firstBatch").forEach(each -> add(each.asDocument(), from, ids));
    }
}
