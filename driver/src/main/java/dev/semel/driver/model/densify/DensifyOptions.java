package dev.semel.driver.model.densify;

import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Immutable: each method returns other options. */
public final class DensifyOptions implements Bson {
    private final Document fields;

    private DensifyOptions(Document fields) {
        this.fields = fields;
    }

    public static DensifyOptions densifyOptions() {
        return new DensifyOptions(new Document());
    }

    public DensifyOptions partitionByFields(String... values) {
        return partitionByFields(Arrays.asList(values));
    }

    public DensifyOptions partitionByFields(List<String> values) {
        return option("partitionByFields", List.copyOf(values));
    }

    /** An option that has no method. */
    public DensifyOptions option(String name, Object value) {
        return new DensifyOptions(new Document(fields).append(name, value));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return fields.toBsonDocument(documentClass, codecs);
    }
}
