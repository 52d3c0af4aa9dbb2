package dev.semel.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cluster.Cluster;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClientSettings;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.ConnectionPoolListener;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The prose test that needs a primary which really steps down: STEP-1. */
class StepDownTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    @Timeout(120)
    void cursorAndConnectionsSurviveTheStepDownOfThePrimary() throws Exception {
        var cleared = new AtomicInteger();
        ConnectionPoolListener listener = event -> {
            if (event instanceof ConnectionPoolEvent.PoolCleared) {
                cleared.incrementAndGet();
            }
        };
        try (Cluster cluster = Cluster.start(3)) {
            int primary = cluster.awaitPrimary(SOON);
            MongoClientSettings settings = MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(cluster.connectionString() + "&retryWrites=false"))
                    .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(listener))
                    .build();
            try (MongoClient client = MongoClients.create(settings)) {
                MongoCollection<Document> documents = client.getDatabase("step-down")
                        .getCollection("step-down")
                        .withWriteConcern(WriteConcern.MAJORITY);
                documents.insertMany(IntStream.range(0, 5)
                        .mapToObj(id -> new Document("_id", id))
                        .toList());
                try (var cursor = documents.find().batchSize(2).cursor()) {
                    List<Object> ids = new ArrayList<>();
                    ids.add(cursor.next().get("_id"));
                    ids.add(cursor.next().get("_id"));

                    client.getDatabase("admin").runCommand(new Document("replSetStepDown", 20));
                    cluster.awaitPrimary(SOON);
                    cursor.forEachRemaining(each -> ids.add(each.get("_id")));
                    assertThat(ids).containsExactly(0, 1, 2, 3, 4);
                }
                documents.insertOne(new Document("_id", 5));
                assertThat(documents.countDocuments()).isEqualTo(6);
                assertThat(cluster.awaitPrimary(SOON)).isNotEqualTo(primary);
                assertThat(cleared).hasValue(0);
            }
        }
    }
}
