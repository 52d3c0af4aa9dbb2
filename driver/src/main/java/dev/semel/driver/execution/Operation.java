package dev.semel.driver.execution;

import dev.semel.driver.connection.Command;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.driver.topology.ServerBinding;
import java.time.Duration;
import org.bson.BsonBinaryWriter;
import org.jspecify.annotations.Nullable;

/** One command: its fields, what its answer means, and what the retry loop must know of it. */
public interface Operation<R> {
    /** Which of the two options applies to its retries; a generic command may be either, so both apply. */
    enum Kind {
        READ,
        WRITE,
        GENERIC
    }

    String commandName();

    String database();

    Kind kind();

    /** Whether it may be sent again when it is unknown whether it was done. A write then gets a transaction number. */
    boolean isRetryable();

    /** Commits and aborts are retried whatever the options say: they end what was begun. */
    default boolean endsTransaction() {
        return false;
    }

    /** For reads and generic commands. */
    default ReadPreference readPreference() {
        return ReadPreference.primary();
    }

    /** Null for a command that takes none. */
    default @Nullable ReadConcern readConcern() {
        return null;
    }

    /** Null for a command that takes none. */
    default @Nullable WriteConcern writeConcern() {
        return null;
    }

    /** Whether the command may carry a time limit. */
    default boolean acceptsMaxTime() {
        return true;
    }

    /** How long the application lets the server take, where no timeout is set for the whole operation. */
    default @Nullable Duration maxTime() {
        return null;
    }

    /** An attempt has failed; the next may have to differ. */
    default void attemptFailed(MongoException failure) {}

    /** The only server that can do it, because the cursor is there; null: any that suits. */
    default @Nullable ServerBinding server() {
        return null;
    }

    /** Called first in each attempt, with its connection. */
    default void prepare(ConnectionDescription connection) {}

    /** Called once for every attempt, with the connection it goes out on. */
    void write(BsonBinaryWriter writer, ConnectionDescription connection);

    /** Documents that travel beside the command; called once for every attempt. */
    default Command.@Nullable Sequence sequence(ConnectionDescription connection) {
        return null;
    }

    /** From an answer whose ok is 1. */
    R result(Reply reply, ServerBinding server, ConnectionDescription connection);

    /** Whether the reply is not waited for if the write concern says so; other commands are always acknowledged. */
    default boolean mayBeUnacknowledged() {
        return false;
    }

    /** The result of an unacknowledged write. */
    default R unacknowledged() {
        throw new IllegalStateException(commandName() + " is always acknowledged");
    }
}
