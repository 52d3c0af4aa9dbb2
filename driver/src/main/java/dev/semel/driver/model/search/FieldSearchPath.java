package dev.semel.driver.model.search;

import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** A field by its path, perhaps as another analyzer sees it. */
public record FieldSearchPath(String path, @Nullable String analyzer) implements SearchPath {
    public FieldSearchPath multi(String name) {
        return new FieldSearchPath(path, name);
    }

    public String toValue() {
        return path;
    }

    @Override
    public BsonValue toBsonValue() {
        return analyzer == null ? new BsonString(path) : document();
    }

    private BsonDocument document() {
        var document = new BsonDocument("value", new BsonString(path));
        return analyzer == null ? document : document.append("multi", new BsonString(analyzer));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return document();
    }
}
