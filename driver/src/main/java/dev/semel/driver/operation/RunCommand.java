package dev.semel.driver.operation;

import dev.semel.driver.execution.Operation;
import dev.semel.driver.setting.ReadPreference;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;

/** Any command, sent as it was given: nobody looks whether it writes, and nothing is added that makes it repeatable. */
public final class RunCommand {
    private RunCommand() {}

    public static <R> Operation<R> operation(
            String database,
            BsonDocument command,
            ReadPreference preference,
            CodecRegistry codecs,
            CommandOperation.Result<R> result) {
        return new CommandOperation<>(
                command.getFirstKey(),
                database,
                Operation.Kind.GENERIC,
                false,
                false,
                !command.containsKey("maxTimeMS"),
                preference,
                null,
                null,
                null,
                null,
                codecs,
                fields -> command.forEach(fields::put),
                result);
    }
}
