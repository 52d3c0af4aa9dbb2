package dev.semel.driver.operation;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
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
        Traits traits,
        ReadPreference readPreference,
        @Nullable ReadConcern readConcern,
        @Nullable WriteConcern writeConcern,
        @Nullable ServerBinding server,
        @Nullable Duration maxTime,
        CodecRegistry codecs,
        Consumer<Fields> fields,
        Result<R> result)
        implements Operation<R> {
    /** What the retry loop must know; see {@link Operation}. */
    public record Traits(Kind kind, boolean isRetryable, boolean endsTransaction, boolean acceptsMaxTime) {
        /** It reads and may be repeated. */
        public static final Traits READ = new Traits(Kind.READ, true, false, true);

        /** It writes and is not repeated. */
        public static final Traits WRITE = new Traits(Kind.WRITE, false, false, true);

        /** It belongs to a cursor, and so to the server that has it. */
        static final Traits CURSOR = new Traits(Kind.READ, false, false, false);

        /** The same for operations without a {@code maxAwaitTime}, so that the command may carry a time limit. */
        static final Traits END_OF_CURSOR = new Traits(Kind.READ, false, false, true);

        public static final Traits ABORT = new Traits(Kind.WRITE, true, true, true);
    }

    /** What a reply means; a cursor in it is on this server. */
    @FunctionalInterface
    public interface Result<R> {
        R of(Reply reply, ServerBinding server);
    }

    /** On the primary, without concerns. */
    public static <R> CommandOperation<R> of(
            String name,
            String database,
            Traits traits,
            CodecRegistry codecs,
            Consumer<Fields> fields,
            Result<R> result) {
        return new CommandOperation<>(
                name, database, traits, ReadPreference.primary(), null, null, null, null, codecs, fields, result);
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
                name, database, Traits.READ, preference, concern, null, null, null, codecs, fields, result);
    }

    /** A command that writes and is not repeated. */
    public static <R> CommandOperation<R> write(
            String name,
            String database,
            @Nullable WriteConcern concern,
            CodecRegistry codecs,
            Consumer<Fields> fields,
            Function<Reply, R> result) {
        return of(name, database, Traits.WRITE, codecs, fields, (reply, server) -> result.apply(reply))
                .withConcerns(null, concern);
    }

    private CommandOperation<R> with(
            Traits newTraits,
            ReadPreference preference,
            @Nullable ReadConcern read,
            @Nullable WriteConcern write,
            @Nullable ServerBinding where,
            @Nullable Duration limit) {
        return new CommandOperation<>(
                commandName, database, newTraits, preference, read, write, where, limit, codecs, fields, result);
    }

    public CommandOperation<R> withReadPreference(ReadPreference value) {
        return with(traits, value, readConcern, writeConcern, server, maxTime);
    }

    public CommandOperation<R> withConcerns(@Nullable ReadConcern read, @Nullable WriteConcern write) {
        return with(traits, readPreference, read, write, server, maxTime);
    }

    CommandOperation<R> onServer(ServerBinding value) {
        return with(traits, readPreference, readConcern, writeConcern, value, maxTime);
    }

    public CommandOperation<R> withMaxTime(@Nullable Duration value) {
        return with(traits, readPreference, readConcern, writeConcern, server, value);
    }

    /** The command carries no time limit, whatever is left of a timeout. */
    public CommandOperation<R> withoutMaxTime() {
        var silent = new Traits(traits.kind, traits.isRetryable, traits.endsTransaction, false);
        return with(silent, readPreference, readConcern, writeConcern, server, maxTime);
    }

    @Override
    public Kind kind() {
        return traits.kind;
    }

    @Override
    public boolean isRetryable() {
        return traits.isRetryable;
    }

    @Override
    public boolean endsTransaction() {
        return traits.endsTransaction;
    }

    @Override
    public boolean acceptsMaxTime() {
        return traits.acceptsMaxTime;
    }

    @Override
    public void write(BsonBinaryWriter writer, ConnectionDescription connection) {
        fields.accept(new Fields(writer, codecs));
    }

    @Override
    public R result(Reply reply, ServerBinding on, ConnectionDescription connection) {
        return result.of(reply, on);
    }
}
