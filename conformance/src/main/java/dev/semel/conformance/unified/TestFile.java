package dev.semel.conformance.unified;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;

/**
 * A file of cases.
 *
 * @param path from the folder of all data
 */
public record TestFile(String path, BsonDocument content) {
    /** Reads a file; null if it is not of the unified format. */
    public static @Nullable TestFile read(Path root, Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Most of what is not of this format need not be parsed to be told.
        if (!text.contains("\"schemaVersion\"")) {
            return null;
        }
        try {
            return new TestFile(root.relativize(file).toString().replace('\\', '/'), BsonDocument.parse(text));
        } catch (JsonParseException e) {
            throw new IllegalStateException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The suite: the folder, and within {@code unified-test-format} the folder below. */
    public String suite() {
        String[] parts = path.split("/", -1);
        return parts[0].equals("unified-test-format") ? parts[0] + "/" + parts[1] : parts[0];
    }

    public List<TestCase> cases() {
        List<TestCase> cases = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (BsonValue each : content.getArray("tests")) {
            String given = each.asDocument().getString("description").getValue();
            String description = given.isBlank() ? "(without a description)" : given;
            int count = seen.merge(description, 1, Integer::sum);
            cases.add(
                    new TestCase(this, count == 1 ? description : description + " (" + count + ")", each.asDocument()));
        }
        return cases;
    }

    List<BsonDocument> list(String name) {
        return content.getArray(name, new BsonArray()).stream()
                .map(BsonValue::asDocument)
                .toList();
    }
}
