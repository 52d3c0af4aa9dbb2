package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Failure;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.error.MongoWriteException;
import dev.semel.driver.error.WriteConcernError;
import dev.semel.driver.error.WriteError;
import dev.semel.driver.model.ClientBulkWriteException;
import dev.semel.driver.model.MongoBulkWriteException;
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
        Throwable telling =
                thrown instanceof ClientBulkWriteException bulk && bulk.getCause() != null ? bulk.getCause() : thrown;
        Map<Integer, BsonDocument> writeErrors = writeErrors(error);
        BsonDocument first = writeErrors.values().stream().findFirst().orElse(null);
        return new Failure(
                String.valueOf(telling.getMessage()),
                !(telling instanceof MongoServerException || (telling instanceof ClientBulkWriteException)),
                telling instanceof MongoOperationTimeoutException,
                code(error, first),
                telling instanceof MongoServerException server ? server.getErrorCodeName() : null,
                error == null ? Set.of() : error.getErrorLabels(),
                first == null ? response(telling) : first,
                result(thrown),
                writeErrors,
                writeConcernErrors(error));
    }

    private static @Nullable Integer code(@Nullable MongoException error, @Nullable BsonDocument first) {
        if (first != null) {
            return first.getInt32("code").getValue();
        }
        return error == null ? null : Integer.valueOf(error.getCode());
    }

    private static @Nullable BsonDocument response(Throwable error) {
        return switch (error) {
            case MongoCommandException command -> command.getResponse();
            case MongoWriteException write -> said(write.getError());
            case MongoWriteConcernException concern -> said(concern.getWriteConcernError());
            default -> null;
        };
    }

    private static @Nullable BsonValue result(Throwable thrown) {
        if (thrown instanceof ClientBulkWriteException bulk) {
            return bulk.getPartialResult().map(ClientBulkWrites::result).orElse(null);
        }
        return MongoBulkWriteException.partialResult(thrown).map(Results::bulk).orElse(null);
    }

    private static Map<Integer, BsonDocument> writeErrors(@Nullable MongoException error) {
        Map<Integer, BsonDocument> errors = new TreeMap<>();
        if (error instanceof MongoBulkWriteException bulk) {
            bulk.getWriteErrors().forEach(each -> errors.put(each.index(), said(each.error())));
        } else if (error instanceof ClientBulkWriteException bulk) {
            bulk.getWriteErrors().forEach((index, each) -> errors.put(index, said(each)));
        }
        return errors;
    }

    private static List<BsonDocument> writeConcernErrors(@Nullable MongoException error) {
        return switch (error) {
            case MongoBulkWriteException bulk
            when bulk.getWriteConcernError() != null -> List.of(said(bulk.getWriteConcernError()));
            case ClientBulkWriteException bulk ->
                bulk.getWriteConcernErrors().stream().map(Failures::said).toList();
            case MongoWriteConcernException concern -> List.of(said(concern.getWriteConcernError()));
            case null, default -> List.of();
        };
    }

    private static BsonDocument said(WriteError error) {
        return Failure.said(error.code(), error.message(), error.details());
    }

    private static BsonDocument said(WriteConcernError error) {
        return Failure.said(error.code(), error.message(), error.details());
    }
}
