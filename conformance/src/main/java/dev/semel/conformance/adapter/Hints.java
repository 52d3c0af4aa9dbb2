package dev.semel.conformance.adapter;

import java.util.function.Consumer;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/** A hint names an index or gives its keys. */
public final class Hints {
    private Hints() {}

    public static void set(BsonValue hint, Consumer<Bson> keys, Consumer<String> name) {
        if (hint.isString()) {
            name.accept(hint.asString().getValue());
        } else {
            keys.accept(hint.asDocument());
        }
    }
}
