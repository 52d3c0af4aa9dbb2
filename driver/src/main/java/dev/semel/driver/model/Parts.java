package dev.semel.driver.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A document of a builder; its values are encoded when the codecs are known. */
record Parts(Map<String, @Nullable Object> fields) implements Bson {
    /** With one field, which may be null. */
    static Parts of(String name, @Nullable Object value) {
        return new Parts(Map.of()).with(name, value);
    }

    static Parts empty() {
        return new Parts(Map.of());
    }

    Parts with(String name, @Nullable Object value) {
        var more = new LinkedHashMap<String, @Nullable Object>(fields);
        more.put(name, value);
        return new Parts(more);
    }

    Parts withIfSet(String name, @Nullable Object value) {
        return value == null ? this : with(name, value);
    }

    /** The same value for each of the names. */
    static Parts each(List<String> names, Object value) {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        names.forEach(name -> fields.put(name, value));
        return new Parts(fields);
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        var document = new BsonDocument();
        fields.forEach((name, value) -> document.put(name, Encoding.encode(value, codecs)));
        return document;
    }

    /** Several values as an array, independent of the codecs for lists. */
    record Row(List<@Nullable Object> values) {
        static Row of(Iterable<? extends @Nullable Object> values) {
            var row = new ArrayList<@Nullable Object>();
            values.forEach(row::add);
            return new Row(row);
        }
    }
}
