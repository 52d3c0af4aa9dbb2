package dev.semel.blackpipe.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClients;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCheckTest {
    @Test
    void whatIsFoundIsMeasuredByWhatWasThereBeforeAndWhatIsExpected() throws IOException {
        try (var server = Server.start(ServerOptions.memory());
                var client = MongoClients.create(server.connectionString())) {
            var uri = server.connectionString().replace("/?", "/db?");
            var accounts = client.getDatabase("db").getCollection("accounts");
            accounts.insertOne(new Document("_id", 1).append("money", 100));
            var check = JsonCheck.parse("{\"find\": \"accounts\", \"expect\": [{\"money\": 90.0, \"_id\": 1}]}");
            check.lookBefore(uri);
            assertThat(check.timesApplied(uri)).isZero();
            var pay = new Document("$inc", new Document("money", -10));
            accounts.updateOne(new Document(), pay);
            assertThat(check.timesApplied(uri)).isEqualTo(1);
            accounts.updateOne(new Document(), pay);
            assertThat(check.timesApplied(uri)).isEqualTo(2);
            accounts.updateOne(new Document(), pay);
            assertThat(check.timesApplied(uri)).isEqualTo(3);
        }
    }

    @Test
    void numbersOfDocumentsAreAnAmount() throws IOException {
        try (var server = Server.start(ServerOptions.memory());
                var client = MongoClients.create(server.connectionString())) {
            var uri = server.connectionString().replace("/?", "/db?");
            var check = JsonCheck.parse("{\"count\": \"orders\", \"expect\": 1}");
            check.lookBefore(uri);
            assertThat(check.timesApplied(uri)).isZero();
            client.getDatabase("db").getCollection("orders").insertOne(new Document());
            assertThat(check.timesApplied(uri)).isEqualTo(1);
            client.getDatabase("db").getCollection("orders").insertOne(new Document());
            assertThat(check.timesApplied(uri)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"find\": \"x\"}", "{\"expect\": 1}", "find x", "[]"})
    void textThatIsNoCheckIsRefused(String text) {
        assertThatThrownBy(() -> JsonCheck.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
