package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Driver;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What a case asks of a driver, found by reading it. */
final class Needs {
    private final Map<String, String> kinds = new HashMap<>();
    private final Set<String> keys = new LinkedHashSet<>();

    /** Why the driver cannot run the case, or null if it declares nothing against it. */
    static @Nullable String missing(TestCase test, Driver driver) {
        Needs needs = new Needs();
        test.file().list("createEntities").forEach(needs::entity);
        test.list("operations").forEach(needs::operation);
        Map<String, String> missing = driver.missing();
        for (String key : needs.keys) {
            String reason = missing.get(key);
            if (reason != null) {
                return key + ": " + reason;
            }
        }
        return null;
    }

    private void entity(BsonDocument entity) {
        String kind = entity.getFirstKey();
        BsonDocument definition = entity.getDocument(kind);
        kinds.put(definition.getString("id").getValue(), kind);
        definition
                .getDocument(kind + "Options", new BsonDocument())
                .keySet()
                .forEach(each -> keys.add(kind + "Options." + each));
        definition
                .getDocument("uriOptions", new BsonDocument())
                .keySet()
                .forEach(each -> keys.add("uriOptions." + each));
    }

    private void operation(BsonDocument operation) {
        if (!operation.containsKey("name") || !operation.containsKey("object")) {
            return;
        }
        String name = operation.getString("name").getValue();
        String kind = kinds.getOrDefault(operation.getString("object").getValue(), "testRunner");
        keys.add(kind + "." + name);
        if (operation.containsKey("saveResultAsEntity") && name.startsWith("create")) {
            kinds.put(operation.getString("saveResultAsEntity").getValue(), "cursor");
        }
        BsonDocument arguments = operation.getDocument("arguments", new BsonDocument());
        for (Map.Entry<String, BsonValue> each : arguments.entrySet()) {
            keys.add(name + "." + each.getKey());
            if (each.getValue() instanceof BsonDocument document && !document.isEmpty()) {
                keys.add(name + "." + each.getKey() + " with fields");
            }
            switch (each.getKey()) {
                case "entities" -> each.getValue().asArray().forEach(entity -> entity(entity.asDocument()));
                case "operation" -> operation(each.getValue().asDocument());
                case "operations", "callback" ->
                    each.getValue().asArray().forEach(inner -> operation(inner.asDocument()));
                default -> {}
            }
        }
    }
}
