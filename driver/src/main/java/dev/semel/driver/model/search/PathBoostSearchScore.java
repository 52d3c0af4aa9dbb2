package dev.semel.driver.model.search;

import org.bson.Document;

/** Multiplied by the value of a field. */
public final class PathBoostSearchScore extends SearchScore {
    PathBoostSearchScore(Document fields) {
        super(fields);
    }

    /** By this where the field is missing or no number. */
    public PathBoostSearchScore undefined(float value) {
        return new PathBoostSearchScore(and("undefined", value));
    }

    @Override
    Document document() {
        return new Document("boost", super.document());
    }
}
