package dev.semel.driver.operation;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.WriteConcernError;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.Session;
import dev.semel.driver.model.BulkWriteError;
import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.BulkWriteUpsert;
import dev.semel.driver.model.DeleteManyModel;
import dev.semel.driver.model.DeleteOneModel;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.model.ReplaceOneModel;
import dev.semel.driver.model.UpdateManyModel;
import dev.semel.driver.model.UpdateModel;
import dev.semel.driver.model.WriteModel;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.WriteConcern;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.io.BasicOutputBuffer;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * Statements of different kinds against one collection, sent in as few commands as their order allows, each encoded when its
 * turn has come: however many there are, memory holds one message. Each command is judged alone whether it may be retried.
 */
public final class BulkWrite<T> {
    private static final BsonInt32 ZERO = new BsonInt32(0);
    private static final int BUFFER_BYTES = 1024;

    private final MongoNamespace namespace;
    private final List<? extends WriteModel<T>> models;
    private final @Nullable BsonValue[] insertedIds;
    private final BulkWriteOptions options;
    private final WriteConcern writeConcern;
    private final Codec<T> codec;
    private final StatementWriter<T> statementWriter;
    private final CodecRegistry codecs;

    private final List<BulkWriteUpsert> upserts = new ArrayList<>();
    private final List<BulkWriteError> errors = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final BitSet answeredIndexes = new BitSet();
    private @Nullable WriteConcernError writeConcernError;
    private @Nullable ServerAddress address;
    private int inserted;
    private int matched;
    private int modified;
    private int deleted;

    public BulkWrite(
            MongoNamespace namespace,
            List<? extends WriteModel<T>> models,
            BulkWriteOptions options,
            WriteConcern writeConcern,
            Codec<T> codec,
            CodecRegistry codecs) {
        this.namespace = namespace;
        this.models = withIds(models, codec);
        insertedIds = new BsonValue[models.size()];
        this.options = options;
        this.writeConcern = writeConcern;
        this.codecs = codecs;
        this.codec = codec;
        statementWriter = new StatementWriter<>(codec, codecs);
    }

    private static <T> List<? extends WriteModel<T>> withIds(List<? extends WriteModel<T>> models, Codec<T> codec) {
        if (!(codec instanceof CollectibleCodec<T>)) {
            return models;
        }
        var result = new ArrayList<WriteModel<T>>(models.size());
        for (WriteModel<T> each : models) {
            result.add(
                    each instanceof InsertOneModel<T>(T document)
                            ? new InsertOneModel<>(InsertedDocument.withId(document, codec))
                            : each);
        }
        return result;
    }

    /** Statements of one kind that may be sent together, and where each stands in the list of models. */
    private final class Group implements WriteBatch.Statements {
        private final WriteBatch.Verb verb;
        private int[] indexes = new int[4];
        private int count;

        Group(WriteBatch.Verb verb) {
            this.verb = verb;
        }

        void add(int index) {
            if (count == indexes.length) {
                indexes = Arrays.copyOf(indexes, count * 2);
            }
            indexes[count++] = index;
        }

        /** Of the model that an entry of the answer to the statements from this one on is about. */
        int index(int from, BsonDocument entry) {
            return indexes[Objects.checkIndex(from + entry.getNumber("index").intValue(), count)];
        }

        @Override
        public WriteBatch.Verb verb() {
            return verb;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public boolean mayBeRepeated(int statement) {
            WriteModel<T> model = models.get(indexes[statement]);
            return !(model instanceof UpdateManyModel || model instanceof DeleteManyModel);
        }

        @Override
        public int write(int statement, BsonBinaryWriter writer, BasicOutputBuffer out) {
            int index = indexes[statement];
            WriteModel<T> model = models.get(index);
            if (model instanceof InsertOneModel<T>(T document)) {
                int start = out.getPosition();
                insertedIds[index] = InsertedDocument.write(writer, out, document, codec, ObjectId::new);
                return out.getPosition() - start;
            }
            return statementWriter.write(writer, model);
        }
    }

    public BulkWriteResult run(Execution execution, Session session, Deadline deadline) {
        if (models.isEmpty()) {
            throw new IllegalArgumentException("A bulk write needs at least one model");
        }
        long operationId = execution.nextOperationId();
        boolean isAcknowledged = writeConcern.isAcknowledged() || session.inTransaction();
        var buffer = new BasicOutputBuffer(BUFFER_BYTES);
        for (Group group : groups()) {
            int from = 0;
            while (from < group.count && !(options.isOrdered() && !errors.isEmpty())) {
                var batch = new WriteBatch(namespace, group, from, options, writeConcern, codecs, buffer);
                WriteBatch.Done done = run(execution, batch, session, deadline, operationId);
                take(done, group, from);
                from += done.count();
            }
        }
        var result = result(isAcknowledged);
        ServerAddress from = address;
        if (from != null && (!errors.isEmpty() || writeConcernError != null)) {
            errors.sort(Comparator.comparingInt(BulkWriteError::index));
            var exception = new MongoBulkWriteException(result, errors, writeConcernError, from);
            labels.forEach(exception::addLabel);
            throw exception;
        }
        return result;
    }

    /** Where a command could not be carried out, what was done before it goes with its exception. */
    private WriteBatch.Done run(
            Execution execution, WriteBatch batch, Session session, Deadline deadline, long operationId) {
        try {
            return execution.run(batch, session, deadline, operationId);
        } catch (MongoException e) {
            MongoBulkWriteException.addPartialResult(e, partialResult());
            throw e;
        } catch (RuntimeException e) {
            // A statement that cannot be encoded, after others that were sent.
            if (!answeredIndexes.isEmpty()) {
                MongoBulkWriteException.addPartialResult(e, partialResult());
            }
            throw e;
        }
    }

    private BulkWriteResult partialResult() {
        for (int i = 0; i < insertedIds.length; i++) {
            if (!answeredIndexes.get(i)) {
                insertedIds[i] = null;
            }
        }
        return result(true);
    }

    private List<Group> groups() {
        var groups = new ArrayList<Group>();
        var byVerb = new HashMap<WriteBatch.Verb, Group>();
        Group last = null;
        for (int i = 0; i < models.size(); i++) {
            WriteModel<T> model = models.get(i);
            WriteBatch.Verb verb = verb(model);
            // In order only neighbours go together; otherwise all of a kind do.
            Group group = options.isOrdered() ? last : byVerb.get(verb);
            if (group == null || group.verb != verb) {
                group = new Group(verb);
                groups.add(group);
                byVerb.put(verb, group);
            }
            group.add(i);
            last = group;
        }
        return groups;
    }

    private static WriteBatch.Verb verb(WriteModel<?> model) {
        return switch (model) {
            case InsertOneModel<?> insert -> WriteBatch.Verb.INSERT;
            case UpdateModel<?> update -> WriteBatch.Verb.UPDATE;
            case ReplaceOneModel<?> replace -> WriteBatch.Verb.UPDATE;
            case DeleteOneModel<?> delete -> WriteBatch.Verb.DELETE;
            case DeleteManyModel<?> delete -> WriteBatch.Verb.DELETE;
        };
    }

    private void take(WriteBatch.Done done, Group group, int first) {
        BsonDocument reply = done.reply();
        if (reply == null || done.answered() == null) {
            return;
        }
        ServerAddress from = done.answered().address();
        address = from;
        for (int i = first; i < first + done.count(); i++) {
            answeredIndexes.set(group.indexes[i]);
        }
        MalformedReply.check(from, () -> take(reply, group, first));
    }

    private void take(BsonDocument reply, Group group, int from) {
        int n = reply.getNumber("n", ZERO).intValue();
        int upserted = reply.isArray("upserted") ? reply.getArray("upserted").size() : 0;
        switch (group.verb) {
            case INSERT -> inserted += n;
            case UPDATE -> {
                matched += n - upserted;
                modified += reply.getNumber("nModified", ZERO).intValue();
            }
            case DELETE -> deleted += n;
        }
        if (upserted > 0) {
            reply.getArray("upserted")
                    .forEach(each -> upserts.add(new BulkWriteUpsert(
                            group.index(from, each.asDocument()),
                            each.asDocument().get("_id", BsonNull.VALUE))));
        }
        if (reply.isArray("writeErrors")) {
            reply.getArray("writeErrors")
                    .forEach(each -> errors.add(new BulkWriteError(
                            group.index(from, each.asDocument()), ErrorReply.writeError(each.asDocument()))));
        }
        if (reply.isDocument("writeConcernError")) {
            writeConcernError = ErrorReply.writeConcernError(reply.getDocument("writeConcernError"));
        }
        if (reply.isArray("errorLabels")) {
            reply.getArray("errorLabels")
                    .forEach(each -> labels.add(each.asString().getValue()));
        }
    }

    private BulkWriteResult result(boolean isAcknowledged) {
        @Nullable BsonValue[] ids = insertedIds;
        if (!errors.isEmpty()) {
            ids = insertedIds.clone();
            for (BulkWriteError each : errors) {
                ids[each.index()] = null;
            }
            if (options.isOrdered()) {
                int first =
                        errors.stream().mapToInt(BulkWriteError::index).min().orElse(0);
                Arrays.fill(ids, first, ids.length, null);
            }
        }
        return new BulkWriteResult(
                isAcknowledged, inserted, matched, modified, deleted, List.copyOf(upserts), new IdsByIndex(ids));
    }
}
