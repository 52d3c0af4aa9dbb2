package dev.semel.conformance.adapter;

import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A cursor that stays open. */
public interface DrivenCursor extends Driven {
    /** Such as {@code changeStream}. */
    String kind();

    BsonDocument next();

    @Nullable
    BsonDocument tryNext();

    @Override
    default Outcome run(String operation, Arguments arguments) {
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
