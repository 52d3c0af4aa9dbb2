package dev.semel.driver.operation;

import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.WriteConcernError;
import dev.semel.driver.error.WriteError;
import dev.semel.driver.model.ClientBulkWriteException;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.ClientBulkWriteResult.ClientDeleteResult;
import dev.semel.driver.model.ClientBulkWriteResult.ClientInsertOneResult;
import dev.semel.driver.model.ClientBulkWriteResult.ClientUpdateResult;
import dev.semel.driver.model.ClientBulkWriteResult.VerboseResults;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What has come of the statements of a bulk write of a client so far. */
final class ClientBulkOutcome {
    private static final BsonInt32 ZERO = new BsonInt32(0);

    private final ClientBulkWriteOptions options;
    private final Map<Integer, WriteError> errors = new TreeMap<>();
    private final List<WriteConcernError> writeConcernErrors = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final Map<Integer, ClientInsertOneResult> inserts = new TreeMap<>();
    private final Map<Integer, ClientUpdateResult> updates = new TreeMap<>();
    private final Map<Integer, ClientDeleteResult> deletes = new TreeMap<>();
    private long inserted;
    private long upserted;
    private long matched;
    private long modified;
    private long deleted;
    private boolean isAnyDone;

    ClientBulkOutcome(ClientBulkWriteOptions options) {
        this.options = options;
    }

    boolean hasErrors() {
        return !errors.isEmpty();
    }

    boolean hasWriteConcernErrors() {
        return !writeConcernErrors.isEmpty();
    }

    /** What the answer to a command says of all its statements together. */
    void count(BsonDocument reply, int sent) {
        inserted += number(reply, "nInserted");
        upserted += number(reply, "nUpserted");
        matched += number(reply, "nMatched");
        modified += number(reply, "nModified");
        deleted += number(reply, "nDeleted");
        // If ordered, the first error ends it: its position in the batch is in its own entry.
        isAnyDone |= number(reply, "nErrors") < (options.isOrdered() ? 1 : sent);
        if (reply.isDocument("writeConcernError")) {
            writeConcernErrors.add(ErrorReply.writeConcernError(reply.getDocument("writeConcernError")));
        }
        if (reply.isArray("errorLabels")) {
            reply.getArray("errorLabels")
                    .forEach(each -> labels.add(each.asString().getValue()));
        }
    }

    private static long number(BsonDocument reply, String field) {
        return reply.getNumber(field, ZERO).longValue();
    }

    /** What the cursor of an answer says of one statement. */
    void add(int index, ClientNamespacedWriteModel model, @Nullable BsonValue insertedId, BsonDocument entry) {
        if (entry.getNumber("ok", ZERO).intValue() != 1) {
            errors.put(index, ErrorReply.writeError(entry));
            isAnyDone |= options.isOrdered() && entry.getNumber("idx").intValue() > 0;
            return;
        }
        isAnyDone = true;
        long n = entry.getNumber("n", ZERO).longValue();
        switch (model) {
            case ClientNamespacedWriteModel.InsertOne insert ->
                inserts.put(index, new ClientInsertOneResult(insertedId));
            case ClientNamespacedWriteModel.Update update -> updates.put(index, update(n, entry));
            case ClientNamespacedWriteModel.ReplaceOne replace -> updates.put(index, update(n, entry));
            case ClientNamespacedWriteModel.Delete delete -> deletes.put(index, new ClientDeleteResult(n));
        }
    }

    private static ClientUpdateResult update(long n, BsonDocument entry) {
        BsonValue id =
                entry.isDocument("upserted") ? entry.getDocument("upserted").get("_id") : null;
        return new ClientUpdateResult(n, entry.getNumber("nModified", ZERO).longValue(), id);
    }

    ClientBulkWriteResult result() {
        VerboseResults verbose = options.isVerboseResults() ? new VerboseResults(inserts, updates, deletes) : null;
        return new ClientBulkWriteResult(true, inserted, upserted, matched, modified, deleted, verbose);
    }

    /** The cause ended the bulk write before all statements were sent, or before it was known what came of them. */
    ClientBulkWriteException exception(@Nullable MongoException cause) {
        var exception = new ClientBulkWriteException(cause, errors, writeConcernErrors, isAnyDone ? result() : null);
        labels.forEach(exception::addLabel);
        if (cause != null) {
            cause.getErrorLabels().forEach(exception::addLabel);
        }
        return exception;
    }
}
