package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.gridfs.GridFSBucket;
import dev.semel.driver.gridfs.GridFSBuckets;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.UpdateOneModel;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/driver.md}, as they stand there. */
class GuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "driver.md");
    private static final Path SOURCE = Path.of("src", "test", "java", "dev", "semel", "driver", "GuideTest.java");
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    public record Customer(@BsonId int id, String name, List<String> tags) {}

    @Test
    void examplesDoWhatTheySay() throws IOException {
        try (Server server = Server.start(ServerOptions.memory())) {
            run(server.connectionString());
        }
    }

    private static void run(String uri) {
        MongoClient client = MongoClients.create(uri);
        MongoDatabase database = client.getDatabase("shop");
        MongoCollection<Document> orders = database.getCollection("orders");

        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applicationName("checkout")
                .timeout(Duration.ofSeconds(5))
                .build();

        orders.insertOne(new Document("_id", 1).append("item", "chair").append("count", 2));
        orders.updateOne(new Document("_id", 1), new Document("$inc", new Document("count", 1)));
        Document order = orders.find(new Document("item", "chair")).first();
        long chairs = orders.countDocuments(new Document("item", "chair"));
        orders.deleteMany(new Document("count", new Document("$lt", 1)));

        MongoCollection<Customer> customers = database.getCollection("customers", Customer.class);
        customers.insertOne(new Customer(7, "Ada", List.of("new")));
        Customer ada = customers.find(new Document("_id", 7)).first();

        List<RawDocument> raw =
                orders.find(new Document("item", "chair"), RawDocument.class).into(new ArrayList<>());
        Value count = raw.getFirst().get("count");

        orders.bulkWrite(List.of(
                new InsertOneModel<>(new Document("_id", 2)),
                new UpdateOneModel<>(new Document("_id", 1), new Document("$set", new Document("paid", true)))));
        client.bulkWrite(List.of(
                ClientNamespacedWriteModel.insertOne(new MongoNamespace("shop.orders"), new Document("_id", 3)),
                ClientNamespacedWriteModel.deleteOne(new MongoNamespace("shop.carts"), new Document("order", 3))));

        try (ClientSession session = client.startSession()) {
            session.withTransaction(() -> {
                orders.updateOne(session, new Document("_id", 1), new Document("$set", new Document("sent", true)));
                return database.getCollection("parcels").insertOne(session, new Document("order", 1));
            });
        }

        MongoCollection<Document> quick = orders.withTimeout(200, TimeUnit.MILLISECONDS);
        try {
            quick.find(new Document("item", "chair")).forEach(each -> {});
        } catch (MongoOperationTimeoutException e) {
            // The caller decides: nothing is still under way.
        }

        byte[] bytes = {1, 2, 3};
        GridFSBucket files = GridFSBuckets.create(database);
        ObjectId id = files.uploadFromStream("photo", new ByteArrayInputStream(bytes));
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        files.downloadToStream(id, copy);

        assertThat(settings.getTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(order)
                .isEqualTo(new Document("_id", 1).append("item", "chair").append("count", 3));
        assertThat(chairs).isEqualTo(1);
        assertThat(ada).isEqualTo(new Customer(7, "Ada", List.of("new")));
        assertThat(Objects.requireNonNull(orders.find(new Document("_id", 1)).first()))
                .containsEntry("paid", true)
                .containsEntry("sent", true);
        assertThat(count).isEqualTo(new Value.Int32(3));
        assertThat(orders.countDocuments()).isEqualTo(3);
        assertThat(database.getCollection("parcels").countDocuments()).isEqualTo(1);
        assertThat(copy.toByteArray()).containsExactly(1, 2, 3);
        client.close();
    }

    @Test
    void guideShowsNothingElse() throws IOException {
        String source = words(Files.readString(SOURCE));
        List<String> examples = EXAMPLE.matcher(Files.readString(GUIDE))
                .results()
                .flatMap(each -> each.group(1).strip().lines())
                .map(GuideTest::words)
                .filter(line -> !line.isEmpty() && !line.startsWith("import"))
                .collect(Collectors.toList());
        assertThat(examples)
                .hasSizeGreaterThan(25)
                .allSatisfy(line -> assertThat(source).contains(line));
    }

    /** The formatter may have put lines and spaces elsewhere. */
    private static String words(String text) {
        return text.replaceAll("\\s+", "");
    }
}
