package dev.semel.driver.model;

import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** The query language can only negate conditions on one field, so the negation moves inwards. */
record Negation(Bson filter) implements Bson {
    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        BsonDocument document = filter.toBsonDocument(documentClass, codecs);
        if (document.size() != 1) {
            var all = new BsonArray();
            document.forEach((name, value) -> all.add(new BsonDocument(name, value)));
            return negated("$and", all);
        }
        Map.Entry<String, BsonValue> only = document.entrySet().iterator().next();
        return negated(only.getKey(), only.getValue());
    }

    private static BsonDocument negated(String name, BsonValue value) {
        if (name.startsWith("$")) {
            return new BsonDocument("$not", new BsonDocument(name, value));
        }
        boolean isCondition =
                value.isRegularExpression() || (value instanceof BsonDocument document && isOperator(document));
        return new BsonDocument(name, new BsonDocument("$not", isCondition ? value : new BsonDocument("$eq", value)));
    }

    private static boolean isOperator(BsonDocument document) {
        return document.keySet().stream().anyMatch(each -> each.startsWith("$"));
    }
}
