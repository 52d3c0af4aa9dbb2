package dev.semel.driver.model;

import java.util.Arrays;
import java.util.List;
import org.bson.conversions.Bson;

/** A field and the pipeline that computes its value. */
public record Facet(String name, List<? extends Bson> pipeline) {
    public Facet(String name, Bson... pipeline) {
        this(name, Arrays.asList(pipeline));
    }

    public String getName() {
        return name;
    }

    public List<? extends Bson> getPipeline() {
        return pipeline;
    }
}
