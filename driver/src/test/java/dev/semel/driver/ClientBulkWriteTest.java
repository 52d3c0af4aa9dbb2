package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.WriteError;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.model.ClientBulkWriteException;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.ClientUpdateOneOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bulk writes over several collections, against a real server. */
class ClientBulkWriteTest {
    private static final MongoNamespace A = new MongoNamespace("db", "a");
    private static final MongoNamespace B = new MongoNamespace("db", "b");
    private static Server server;
    private final List<CommandStartedEvent> started = new CopyOnWriteArrayList<>();
    private MongoClient client;

    @BeforeAll
    static void startServer() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        started.add(event);
                    }
                })
                .build());
        client.getDatabase("db").drop();
        started.clear();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void statementsReachTheirCollectionsInOneCommand() {
        ClientBulkWriteResult result = client.bulkWrite(
                List.of(
                        ClientNamespacedWriteModel.insertOne(A, new Document("_id", 1)),
                        ClientNamespacedWriteModel.updateOne(
                                B,
                                new Document("_id", 2),
                                new Document("$set", new Document("x", 1)),
                                new ClientUpdateOneOptions().upsert(true)),
                        ClientNamespacedWriteModel.deleteMany(A, new Document())),
                new ClientBulkWriteOptions().verboseResults(true));

        assertThat(started).extracting(CommandStartedEvent::commandName).containsExactly("bulkWrite");
        assertThat(started.getFirst().command().getArray("nsInfo")).hasSize(2);
        assertThat(result.getInsertedCount()).isEqualTo(1);
        assertThat(result.getUpsertedCount()).isEqualTo(1);
        assertThat(result.getDeletedCount()).isEqualTo(1);
        var verbose = result.getVerboseResults().orElseThrow();
        assertThat(verbose.getInsertResults())
                .isEqualTo(Map.of(0, new ClientBulkWriteResult.ClientInsertOneResult(new BsonInt32(1))));
        assertThat(verbose.getUpdateResults())
                .isEqualTo(Map.of(1, new ClientBulkWriteResult.ClientUpdateResult(1, 0, new BsonInt32(2))));
        assertThat(verbose.getDeleteResults()).isEqualTo(Map.of(2, new ClientBulkWriteResult.ClientDeleteResult(1)));
    }

    /** CRUDP-4. */
    @Test
    void statementsThatAreTooManyForOneMessageGoInSeveral() {
        String text = "x".repeat(1_000_000);
        List<ClientNamespacedWriteModel> models = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            models.add(ClientNamespacedWriteModel.insertOne(i % 2 == 0 ? A : B, new Document("text", text)));
        }

        assertThat(client.bulkWrite(models).getInsertedCount()).isEqualTo(60);

        assertThat(started)
                .extracting(each -> each.command().getArray("ops").size())
                .containsExactly(47, 13);
        assertThat(started)
                .extracting(CommandStartedEvent::operationId)
                .containsOnly(started.getFirst().operationId());
    }

    @Test
    void onlyCommandsWithoutManyDocumentStatementsGetATransactionNumber() {
        client.bulkWrite(List.of(ClientNamespacedWriteModel.insertOne(A, new Document())));
        client.bulkWrite(List.of(ClientNamespacedWriteModel.deleteMany(A, new Document())));

        assertThat(started)
                .extracting(each -> each.command().containsKey("txnNumber"))
                .containsExactly(true, false);
    }

    @Test
    void errorsSayWhichStatementsFailedAndTheRestIsDone() {
        var models = List.of(
                ClientNamespacedWriteModel.insertOne(A, new Document("_id", 1)),
                ClientNamespacedWriteModel.insertOne(A, new Document("_id", 1)),
                ClientNamespacedWriteModel.insertOne(B, new Document("_id", 1)));

        assertThatExceptionOfType(ClientBulkWriteException.class)
                .isThrownBy(() -> client.bulkWrite(models, new ClientBulkWriteOptions().ordered(false)))
                .satisfies(e -> {
                    assertThat(e.getWriteErrors()).containsOnlyKeys(1);
                    assertThat(e.getWriteErrors().values())
                            .extracting(WriteError::code)
                            .containsExactly(11000);
                    assertThat(e.getPartialResult().orElseThrow().getInsertedCount())
                            .isEqualTo(2);
                });
    }

    @Test
    void resultsThatNeedSeveralBatchesAllCome() {
        List<ClientNamespacedWriteModel> models = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            models.add(ClientNamespacedWriteModel.insertOne(A, new Document("_id", i)));
        }
        var verbose = client.bulkWrite(models, new ClientBulkWriteOptions().verboseResults(true));

        assertThat(verbose.getVerboseResults().orElseThrow().getInsertResults()).hasSize(400);
    }

    @Test
    void aStatementLargerThanAMessageIsRefusedByName() {
        var model = ClientNamespacedWriteModel.insertOne(A, new Document("text", "x".repeat(48_100_000)));

        assertThatExceptionOfType(ClientBulkWriteException.class)
                .isThrownBy(() -> client.bulkWrite(List.of(model)))
                .withCauseInstanceOf(MongoClientException.class)
                .withMessageContaining("index 0")
                .withMessageContaining("db.a");
    }

    @Test
    void unacknowledgedBulkWriteCannotBeVerbose() {
        var models = List.of(ClientNamespacedWriteModel.insertOne(A, new Document()));
        var options = new ClientBulkWriteOptions().writeConcern(WriteConcern.UNACKNOWLEDGED);

        assertThatThrownBy(() -> client.bulkWrite(models, options)).hasMessageContaining("ordered");
        assertThatThrownBy(() -> client.bulkWrite(models, options.ordered(false).verboseResults(true)))
                .hasMessageContaining("verbose");
        assertThat(client.bulkWrite(models, options.verboseResults(false)).isAcknowledged())
                .isFalse();
    }
}
