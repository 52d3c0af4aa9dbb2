package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.util.List;
import org.bson.codecs.configuration.CodecConfigurationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Java records as documents. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordsTest {
    private Server server;
    private MongoClient client;

    public record Line(String item, int count) {}

    public record Order(int number, List<Line> lines) {}

    record Hidden(int number) {}

    static class Shop {
        public record Nested(int number) {}
    }

    public record Outer(int number, Hidden hidden) {}

    @BeforeAll
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        client = MongoClients.create(server.connectionString());
    }

    @AfterAll
    void stop() {
        client.close();
        server.close();
    }

    private <T> MongoCollection<T> of(Class<T> type) {
        return client.getDatabase("records").getCollection(type.getSimpleName(), type);
    }

    @Test
    void publicRecordWithRecordsInItIsStored() {
        var order = new Order(1, List.of(new Line("tea", 2)));
        of(Order.class).insertOne(order);
        assertThat(of(Order.class).find().first()).isEqualTo(order);
    }

    @Test
    void errorSaysThatRecordMustBePublic() {
        assertThatExceptionOfType(CodecConfigurationException.class)
                .isThrownBy(() -> of(Hidden.class).insertOne(new Hidden(1)))
                .withMessage("record " + Hidden.class.getName()
                        + " must be public, because the BSON library reads records by reflection");
    }

    @Test
    void classAroundThePublicRecordMayBePackagePrivate() {
        of(Shop.Nested.class).insertOne(new Shop.Nested(1));
        assertThat(of(Shop.Nested.class).find().first()).isEqualTo(new Shop.Nested(1));
    }

    @Test
    void recordInARecordMustBePublicToo() {
        assertThatExceptionOfType(CodecConfigurationException.class)
                .isThrownBy(() -> of(Outer.class).insertOne(new Outer(1, new Hidden(2))))
                .withMessageContaining(Hidden.class.getName());
    }
}
