package dev.semel.server.reference;

import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Fields that are known to be there. */
final class Fields {
    private Fields() {}

    static BsonValue of(BsonDocument document, String name) {
        return Objects.requireNonNull(document.get(name), name);
    }

    /** Of an operator or a stage. */
    static BsonValue first(BsonDocument document) {
        return of(document, document.getFirstKey());
    }
}
