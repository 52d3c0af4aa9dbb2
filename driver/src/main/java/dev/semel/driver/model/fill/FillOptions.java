package dev.semel.driver.model.fill;

import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Immutable: each method returns other options. Of the two ways to name partitions the last one given counts. */
public final class FillOptions implements Bson {
    private static final String EXPRESSION = "partitionBy";
    private static final String FIELDS = "partitionByFields";

    private final Document fields;

    private FillOptions(Document fields) {
        this.fields = fields;
    }

    public static FillOptions fillOptions() {
        return new FillOptions(new Document());
    }

    public FillOptions partitionBy(Object expression) {
        return without(FIELDS).option(EXPRESSION, expression);
    }

    public FillOptions partitionByFields(String... values) {
        return partitionByFields(Arrays.asList(values));
    }

    public FillOptions partitionByFields(List<String> values) {
        FillOptions others = without(EXPRESSION);
        return values.isEmpty() ? others.without(FIELDS) : others.option(FIELDS, List.copyOf(values));
    }

    public FillOptions sortBy(Bson value) {
        return option("sortBy", value);
    }

    /** An option that has no method. */
    public FillOptions option(String name, Object value) {
        return new FillOptions(new Document(fields).append(name, value));
    }

    private FillOptions without(String name) {
        var others = new Document(fields);
        others.remove(name);
        return new FillOptions(others);
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return fields.toBsonDocument(documentClass, codecs);
    }
}
