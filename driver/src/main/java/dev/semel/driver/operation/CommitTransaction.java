package dev.semel.driver.operation;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
import java.time.Duration;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** {@code commitTransaction}. From its second attempt on it asks for a majority, so that an answer is final. */
public final class CommitTransaction implements Operation<Boolean> {
    private static final Duration RETRY_W_TIMEOUT = Duration.ofSeconds(10);

    private final @Nullable BsonDocument recoveryToken;
    private final @Nullable Duration maxCommitTime;
    private final CodecRegistry codecs;
    private WriteConcern writeConcern;

    public CommitTransaction(
            WriteConcern writeConcern,
            boolean isRepeated,
            @Nullable Duration maxCommitTime,
            @Nullable BsonDocument recoveryToken,
            CodecRegistry codecs) {
        this.writeConcern = isRepeated ? forRetry(writeConcern) : writeConcern;
        this.maxCommitTime = maxCommitTime;
        this.recoveryToken = recoveryToken;
        this.codecs = codecs;
    }

    private static WriteConcern forRetry(WriteConcern concern) {
        WriteConcern majority = concern.withW("majority");
        return majority.wTimeoutMs() == null ? majority.withWTimeout(RETRY_W_TIMEOUT) : majority;
    }

    @Override
    public void attemptFailed(MongoException failure) {
        if (!failure.isRetryableOverload()) {
            writeConcern = forRetry(writeConcern);
        }
    }

    @Override
    public String commandName() {
        return "commitTransaction";
    }

    @Override
    public String database() {
        return "admin";
    }

    @Override
    public Kind kind() {
        return Kind.WRITE;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }

    @Override
    public boolean endsTransaction() {
        return true;
    }

    @Override
    public WriteConcern writeConcern() {
        return writeConcern;
    }

    @Override
    public @Nullable Duration maxTime() {
        return maxCommitTime;
    }

    @Override
    public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
        new Fields(writer, codecs).put("commitTransaction", 1).putBson("recoveryToken", recoveryToken);
    }

    @Override
    public Boolean result(Reply reply, ServerBinding server, ConnectionDescription connection) {
        WriteErrors.check(reply);
        return true;
    }
}
