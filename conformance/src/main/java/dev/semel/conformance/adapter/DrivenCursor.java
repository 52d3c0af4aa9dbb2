package dev.semel.conformance.adapter;

import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A cursor that stays open. */
public interface DrivenCursor extends Driven {
    /** Such as {@code changeStream}. */
    String kind();

    BsonDocument next();

    @Nullable
    BsonDocument tryNext();

    /** With its own timeout. */
    default void close(Duration timeout) {
        throw new Unsupported("close.timeoutMS");
    }

    @Override
    default Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        if (operation.equals("close") && timeout != null) {
            Options.none(operation, arguments, "timeoutMS");
            close(Values.millis(timeout));
            return Outcome.NONE;
        }
        Options.none(operation, arguments);
        return switch (operation) {
            case "iterateUntilDocumentOrError" -> Values.result(next());
            case "iterateOnce" -> Values.result(tryNext());
            case "close" -> {
                close();
                yield Outcome.NONE;
            }
            default -> throw new Unsupported(kind() + "." + operation);
        };
    }
}
