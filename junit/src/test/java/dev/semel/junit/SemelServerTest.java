package dev.semel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClients;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Its lines are those of docs/testing.md; {@code ExamplesTest} compares them. */
class SemelServerTest {
    @Test
    void takesAContainersPlace() {
        try (var server = SemelServer.start();
                var client = MongoClients.create(server.getReplicaSetUrl())) {
            client.getDatabase("test").getCollection("c").insertOne(new Document("_id", 1));
            assertThat(server.getReplicaSetUrl())
                    .startsWith("mongodb://127.0.0.1:")
                    .endsWith("/test?replicaSet=rs0");
            assertThat(server.getConnectionString()).endsWith("/?replicaSet=rs0");
        }
    }
}
