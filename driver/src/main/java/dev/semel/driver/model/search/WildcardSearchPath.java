package dev.semel.driver.model.search;

import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/** All fields whose path matches. */
public record WildcardSearchPath(String path) implements SearchPath {
    @Override
    public BsonValue toBsonValue() {
        return new BsonDocument("wildcard", new BsonString(path));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return toBsonValue().asDocument();
    }
}
