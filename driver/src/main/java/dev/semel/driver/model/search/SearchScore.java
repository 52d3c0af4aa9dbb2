package dev.semel.driver.model.search;

import org.bson.Document;
import org.bson.conversions.Bson;

/** How much a match counts. */
public class SearchScore extends SearchPart {
    private static final String BOOST = "boost";

    SearchScore(Document fields) {
        super(fields);
    }

    /** Multiplied by a number. */
    public static SearchScore boost(float value) {
        return new SearchScore(new Document(BOOST, new Document("value", value)));
    }

    /** Multiplied by the value of a field. */
    public static PathBoostSearchScore boost(FieldSearchPath path) {
        return new PathBoostSearchScore(new Document("path", path.toValue()));
    }

    public static SearchScore constant(float value) {
        return new SearchScore(new Document("constant", new Document("value", value)));
    }

    /** Of a kind that has no method. */
    public static SearchScore of(Bson score) {
        return new SearchScore(new Document(score.toBsonDocument()));
    }
}
