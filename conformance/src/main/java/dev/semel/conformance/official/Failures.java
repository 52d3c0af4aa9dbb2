package dev.semel.conformance.official;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import dev.semel.conformance.adapter.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What the driver's exceptions say. */
final class Failures {
    private Failures() {}

    static @Nullable Failure describe(Throwable thrown) {
        MongoException error = thrown instanceof MongoException mongo ? mongo : null;
        if (error == null && !Failure.isRefusal(thrown)) {
            return null;
        }
        // A bulk write that failed as a whole says why in its cause.
        MongoException telling =
                error instanceof ClientBulkWriteException bulk && bulk.getCause() != null ? bulk.getCause() : error;
        return new Failure(
                String.valueOf(telling == null ? thrown.getMessage() : telling.getMessage()),
                isClientError(telling),
                telling instanceof MongoOperationTimeoutException,
                code(error, telling),
                codeName(telling),
                error == null ? Set.of() : error.getErrorLabels(),
                response(telling),
                result(error),
                writeErrors(error),
                writeConcernErrors(error));
    }

    private static boolean isClientError(@Nullable MongoException error) {
        return !(error instanceof MongoServerException || error instanceof MongoExecutionTimeoutException);
    }

    private static @Nullable Integer code(@Nullable MongoException error, @Nullable MongoException telling) {
        if (error instanceof MongoBulkWriteException bulk
                && !bulk.getWriteErrors().isEmpty()) {
            return bulk.getWriteErrors().getFirst().getCode();
        }
        if (error instanceof ClientBulkWriteException bulk
                && telling == error
                && !bulk.getWriteErrors().isEmpty()) {
            return bulk.getWriteErrors().values().iterator().next().getCode();
        }
        return telling == null ? null : telling.getCode();
    }

    private static @Nullable String codeName(@Nullable MongoException error) {
        return switch (error) {
            case MongoExecutionTimeoutException timeout -> "MaxTimeMSExpired";
            case MongoWriteConcernException concern ->
                concern.getWriteConcernError().getCodeName();
            case MongoServerException server -> server.getErrorCodeName();
            case null, default -> null;
        };
    }

    private static @Nullable BsonDocument response(@Nullable MongoException error) {
        return switch (error) {
            case MongoCommandException command -> command.getResponse();
            case MongoWriteException write -> written(write.getError());
            case MongoBulkWriteException bulk
            when !bulk.getWriteErrors().isEmpty() ->
                written(bulk.getWriteErrors().getFirst());
            case MongoWriteConcernException concern -> concern(concern.getWriteConcernError());
            case null, default -> null;
        };
    }

    private static @Nullable BsonValue result(@Nullable MongoException error) {
        return switch (error) {
            case MongoBulkWriteException bulk -> Results.bulk(bulk.getWriteResult());
            case ClientBulkWriteException bulk -> {
                ClientBulkWriteResult partial = bulk.getPartialResult().orElse(null);
                yield partial == null ? null : ClientBulkWrites.result(partial);
            }
            case null, default -> null;
        };
    }

    private static Map<Integer, BsonDocument> writeErrors(@Nullable MongoException error) {
        Map<Integer, BsonDocument> errors = new TreeMap<>();
        if (error instanceof MongoBulkWriteException bulk) {
            for (BulkWriteError each : bulk.getWriteErrors()) {
                errors.put(each.getIndex(), written(each));
            }
        } else if (error instanceof ClientBulkWriteException bulk) {
            bulk.getWriteErrors().forEach((index, each) -> errors.put(index, written(each)));
        }
        return errors;
    }

    private static List<BsonDocument> writeConcernErrors(@Nullable MongoException error) {
        List<BsonDocument> errors = new ArrayList<>();
        if (error instanceof MongoBulkWriteException bulk && bulk.getWriteConcernError() != null) {
            errors.add(concern(bulk.getWriteConcernError()));
        } else if (error instanceof MongoWriteConcernException write) {
            errors.add(concern(write.getWriteConcernError()));
        } else if (error instanceof ClientBulkWriteException bulk) {
            bulk.getWriteConcernErrors().forEach(each -> errors.add(concern(each)));
        }
        return errors;
    }

    private static BsonDocument written(WriteError error) {
        return Failure.said(error.getCode(), error.getMessage(), error.getDetails());
    }

    private static BsonDocument concern(WriteConcernError error) {
        return Failure.said(error.getCode(), error.getMessage(), error.getDetails());
    }
}
