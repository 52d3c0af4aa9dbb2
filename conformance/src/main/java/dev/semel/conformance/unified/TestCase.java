package dev.semel.conformance.unified;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * One case of a file.
 *
 * @param description differs from those of the file's other cases
 */
public record TestCase(TestFile file, String description, BsonDocument content) {
    /** Names the case among all. */
    public String id() {
        return file.path() + ": " + description();
    }

    List<BsonDocument> list(String name) {
        return content.getArray(name, new BsonArray()).stream()
                .map(BsonValue::asDocument)
                .toList();
    }
}
