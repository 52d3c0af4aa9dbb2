package dev.semel.conformance.official;

import com.mongodb.client.MongoCursor;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Unsupported;
import org.bson.BsonDocument;

/** A cursor that stays open. */
record OfficialCursor(String kind, MongoCursor<BsonDocument> cursor) implements Driven {
    @Override
    public Outcome run(String operation, Arguments arguments) {
        Options.none(operation, arguments);
        return switch (operation) {
            case "iterateUntilDocumentOrError" -> Values.result(cursor.next());
            case "iterateOnce" -> Values.result(cursor.tryNext());
            case "close" -> {
                cursor.close();
                yield Outcome.NONE;
            }
            default -> throw new Unsupported(kind + "." + operation);
        };
    }

    @Override
    public void close() {
        cursor.close();
    }
}
