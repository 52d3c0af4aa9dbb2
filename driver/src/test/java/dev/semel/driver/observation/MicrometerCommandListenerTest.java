package dev.semel.driver.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.MongoClient;
import dev.semel.driver.TestServer;
import dev.semel.driver.error.MongoQueryException;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MicrometerCommandListenerTest {
    private final List<Observation.Context> stopped = new ArrayList<>();
    private final ObservationRegistry registry = ObservationRegistry.create();
    private TestServer server;
    private MongoClient client;

    @BeforeEach
    void start() throws IOException {
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        server = TestServer.start();
        client = server.connect("", settings -> settings.addCommandListener(new MicrometerCommandListener(registry)));
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static String value(Observation.Context context, String key) {
        KeyValue found = Objects.requireNonNull(context.getLowCardinalityKeyValue(key), key);
        return found.getValue();
    }

    @Test
    void eachCommandIsAnObservationBelowTheCurrentOne() {
        Observation above = Observation.start("checkout", registry);
        try (Observation.Scope scope = above.openScope()) {
            client.getDatabase("shop").getCollection("orders").insertOne(new Document("_id", 1));
            assertThat(scope.getCurrentObservation()).isSameAs(above);
        }

        assertThat(stopped).hasSize(1);
        Observation.Context insert = stopped.getFirst();
        assertThat(insert.getName()).isEqualTo("mongodb.command");
        assertThat(insert.getContextualName()).isEqualTo("insert shop.orders");
        assertThat(insert.getParentObservation()).isSameAs(above);
        assertThat(value(insert, "db.system.name")).isEqualTo("mongodb");
        assertThat(value(insert, "db.namespace")).isEqualTo("shop");
        assertThat(value(insert, "db.collection.name")).isEqualTo("orders");
        assertThat(value(insert, "db.command.name")).isEqualTo("insert");
        assertThat(value(insert, "server.port"))
                .isEqualTo(String.valueOf(server.address().port()));
        assertThat(insert.getError()).isNull();
    }

    @Test
    void aFailureHasItsCode() {
        var orders = client.getDatabase("shop").getCollection("orders");
        assertThatThrownBy(() -> orders.find(new Document("$nope", 1)).first()).isInstanceOf(MongoQueryException.class);

        assertThat(stopped).hasSize(1);
        assertThat(value(stopped.getFirst(), "db.response.status_code")).isEqualTo("2");
        assertThat(stopped.getFirst().getError()).isInstanceOf(MongoQueryException.class);
    }

    /** Batches after the first have the collection in another field. */
    @Test
    void everyBatchIsAnObservation() {
        var orders = client.getDatabase("shop").getCollection("orders");
        orders.insertMany(List.of(new Document(), new Document(), new Document()));
        stopped.clear();

        orders.find().batchSize(2).forEach(each -> {});
        assertThat(stopped)
                .extracting(Observation.Context::getContextualName)
                .containsExactly("find shop.orders", "getMore shop.orders");
    }
}
