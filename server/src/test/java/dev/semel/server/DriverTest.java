package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCompressor;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The official driver as a client, as applications use it. */
class DriverTest {
    private static List<Document> documents(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Document("_id", i).append("a", i % 10).append("text", "x".repeat(100)))
                .toList();
    }

    private static void session(MongoClient client) {
        MongoCollection<Document> collection = client.getDatabase("db").getCollection("c");
        collection.insertMany(documents(1000));
        collection.createIndex(Indexes.ascending("a"));
        assertThat(collection.countDocuments()).isEqualTo(1000);
        assertThat(collection.countDocuments(eq("a", 3))).isEqualTo(100);
        assertThat(collection.find(eq("_id", 5)).first()).containsEntry("a", 5);
        assertThat(collection.find(gte("_id", 100)).batchSize(50).into(new ArrayList<>()))
                .hasSize(900);
        assertThat(collection.updateMany(eq("a", 1), inc("n", 2)).getModifiedCount())
                .isEqualTo(100);
        assertThat(collection.findOneAndUpdate(eq("_id", 1), inc("n", 1))).containsEntry("n", 2);
        assertThat(collection.deleteMany(eq("a", 2)).getDeletedCount()).isEqualTo(100);
        assertThat(collection
                        .aggregate(List.of(
                                new Document("$group", new Document("_id", "$a").append("n", new Document("$sum", 1))),
                                new Document("$sort", new Document("_id", 1))))
                        .into(new ArrayList<>()))
                .hasSize(9)
                .first()
                .isEqualTo(new Document("_id", 0).append("n", 100));
        collection.drop();
    }

    @Test
    void reachesAReplicaSetOfOne() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = MongoClients.create(server.connectionString())) {
            session(client);
            assertThat(client.getClusterDescription().getType()).hasToString("REPLICA_SET");
        }
    }

    @Test
    void reachesAStandaloneServer() throws IOException {
        try (Server server = Server.start(ServerOptions.memory().standalone());
                MongoClient client = MongoClients.create(server.connectionString())) {
            session(client);
            assertThat(client.getClusterDescription().getType()).hasToString("STANDALONE");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zlib", "snappy", "zstd"})
    void talksCompressed(String compressor) throws IOException {
        MongoCompressor wanted = switch (compressor) {
            case "zlib" -> MongoCompressor.createZlibCompressor();
            case "snappy" -> MongoCompressor.createSnappyCompressor();
            default -> MongoCompressor.createZstdCompressor();
        };
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString(server.connectionString()))
                        .compressorList(List.of(wanted))
                        .build())) {
            session(client);
        }
    }

    @Test
    void dataInADirectorySurvivesARestart(@TempDir Path folder) throws IOException {
        try (Server server = Server.start(ServerOptions.directory(folder));
                MongoClient client = MongoClients.create(server.connectionString())) {
            MongoCollection<Document> collection = client.getDatabase("db").getCollection("c");
            collection.insertMany(documents(100));
            collection.createIndex(Indexes.ascending("text", "_id"), new IndexOptions().unique(true));
        }
        try (Server server = Server.start(ServerOptions.directory(folder));
                MongoClient client = MongoClients.create(server.connectionString())) {
            MongoCollection<Document> collection = client.getDatabase("db").getCollection("c");
            assertThat(collection.countDocuments()).isEqualTo(100);
            assertThat(collection.listIndexes().into(new ArrayList<>())).hasSize(2);
            assertThatThrownBy(() -> collection.insertOne(new Document("_id", 5)))
                    .isInstanceOf(MongoWriteException.class)
                    .hasMessageContaining("E11000 duplicate key error collection: db.c index: _id_");
        }
    }

    @Test
    void aDirectoryServesOneServerAtATime(@TempDir Path folder) throws IOException {
        try (Server server = Server.start(ServerOptions.directory(folder))) {
            assertThat(server.connectionString()).startsWith("mongodb://127.0.0.1:");
            assertThatThrownBy(
                            () -> Server.start(ServerOptions.directory(folder)).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void aPortServesOneServerAtATime() throws IOException {
        try (Server server = Server.start(ServerOptions.memory())) {
            int port =
                    Integer.parseInt(server.address().substring(server.address().indexOf(':') + 1));
            assertThatThrownBy(() ->
                            Server.start(ServerOptions.memory().port(port)).close())
                    .isInstanceOf(java.net.BindException.class)
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @Test
    void writesWithoutAcknowledgementArrive() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString(server.connectionString()))
                        .applyToConnectionPoolSettings(pool -> pool.maxSize(1))
                        .build())) {
            MongoCollection<Document> collection = client.getDatabase("db").getCollection("c");
            collection.withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(new Document("_id", 1));
            collection.withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(new Document("_id", 1));
            // On the same connection, so after them.
            assertThat(collection.countDocuments()).isEqualTo(1);
        }
    }

    @Test
    void shutdownEndsTheServer() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = MongoClients.create(server.connectionString())) {
            assertThatThrownBy(() -> client.getDatabase("admin").runCommand(new Document("shutdown", 1)))
                    .isInstanceOf(com.mongodb.MongoException.class)
                    .isNotInstanceOf(MongoCommandException.class);
            server.awaitEnd();
        }
    }
}
