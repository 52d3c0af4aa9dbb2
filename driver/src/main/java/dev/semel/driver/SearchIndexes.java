package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.model.SearchIndexModel;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.MongoNamespace;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.conversions.Bson;

/** Creates, changes and drops search indexes. Their commands take neither concerns nor transactions. */
record SearchIndexes(Scope scope, MongoNamespace namespace) {
    List<String> create(List<SearchIndexModel> indexes) {
        return run(
                "createSearchIndexes",
                fields -> {
                    fields.writer().writeStartArray("indexes");
                    for (SearchIndexModel each : indexes) {
                        fields.writer().writeStartDocument();
                        fields.put("name", each.name())
                                .put("type", each.type())
                                .putBson("definition", each.definition());
                        fields.writer().writeEndDocument();
                    }
                    fields.writer().writeEndArray();
                },
                reply -> reply.document().getArray("indexesCreated").stream()
                        .map(each -> each.asDocument().getString("name").getValue())
                        .toList());
    }

    void update(String name, Bson definition) {
        run("updateSearchIndex", fields -> fields.put("name", name).putBson("definition", definition), reply -> reply);
    }

    void drop(String name) {
        NamespaceErrors.ignoring(() -> run("dropSearchIndex", fields -> fields.put("name", name), reply -> reply));
    }

    private <R> R run(String command, Consumer<Fields> arguments, Function<Reply, R> result) {
        return scope.run(
                CommandOperation.write(
                        command,
                        namespace.databaseName(),
                        null,
                        scope.codecs(),
                        fields -> {
                            fields.put(command, namespace.collectionName());
                            arguments.accept(fields);
                        },
                        result),
                null);
    }
}
