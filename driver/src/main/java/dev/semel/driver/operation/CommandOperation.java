package dev.semel.driver.operation;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.Server;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.BsonBinaryWriter;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** A command that is all fields: what most operations are. */
public record CommandOperation<R>(
        String commandName,
        String database,
        Kind kind,
        boolean isRetryable,
        boolean endsTransaction,
        boolean acceptsMaxTime,
        ReadPreference readPreference,
        @Nullable ReadConcern readConcern,
        @Nullable WriteConcern writeConcern,
        @Nullable Server server,
        @Nullable Duration maxTime,
        CodecRegistry codecs,
        Consumer<Fields> fields,
        Result<R> result)
        implements Operation<R> {
    /** What an answer means; the server is where a cursor in it lives. */
    @FunctionalInterface
    public interface Result<R> {
        R of(Reply reply, Server server);
    }

    /** A command that reads and may be repeated. */
    public static <R> CommandOperation<R> read(
            String name,
            String database,
            ReadPreference preference,
            @Nullable ReadConcern concern,
            CodecRegistry codecs,
            Consumer<Fields> fields,
            Result<R> result) {
        return new CommandOperation<>(
                name,
                database,
                Kind.READ,
                true,
                false,
                true,
                preference,
                concern,
                null,
                null,
                null,
                codecs,
                fields,
                result);
    }

    /** A command that writes and is not repeated. */
    public static <R> CommandOperation<R> write(
            String name,
            String database,
            @Nullable WriteConcern concern,
            CodecRegistry codecs,
            Consumer<Fields> fields,
            Function<Reply, R> result) {
        return new CommandOperation<>(
                name,
                database,
                Kind.WRITE,
                false,
                false,
                true,
                ReadPreference.primary(),
                null,
                concern,
                null,
                null,
                codecs,
                fields,
                (reply, server) -> result.apply(reply));
    }

    /** The server repeats it without harm: it recognises the transaction number. */
    public CommandOperation<R> retryable() {
        return new CommandOperation<>(
                commandName,
                database,
                kind,
                true,
                endsTransaction,
                acceptsMaxTime,
                readPreference,
                readConcern,
                writeConcern,
                server,
                maxTime,
                codecs,
                fields,
                result);
    }

    public CommandOperation<R> withMaxTime(@Nullable Duration value) {
        return new CommandOperation<>(
                commandName,
                database,
                kind,
                isRetryable,
                endsTransaction,
                acceptsMaxTime,
                readPreference,
                readConcern,
                writeConcern,
                server,
                value,
                codecs,
                fields,
                result);
    }

    @Override
    public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
        fields.accept(new Fields(writer, codecs));
    }

    @Override
    public R result(Reply reply, Server on, ConnectionDescription connection) {
        return result.of(reply, on);
    }
}
