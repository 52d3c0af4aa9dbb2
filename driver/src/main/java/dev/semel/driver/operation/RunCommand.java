package dev.semel.driver.operation;

import dev.semel.driver.execution.Operation;
import dev.semel.driver.setting.ReadPreference;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;

/** Any command, sent as it was given: it is not inspected, and nothing is added that makes it retryable. */
public final class RunCommand {
    private RunCommand() {}

    public static <R> CommandOperation<R> operation(
            String database,
            BsonDocument command,
            ReadPreference preference,
            CodecRegistry codecs,
            CommandOperation.Result<R> result) {
        var traits =
                new CommandOperation.Traits(Operation.Kind.GENERIC, false, false, !command.containsKey("maxTimeMS"));
        return CommandOperation.of(
                        command.getFirstKey(), database, traits, codecs, fields -> command.forEach(fields::put), result)
                .withReadPreference(preference);
    }
}
