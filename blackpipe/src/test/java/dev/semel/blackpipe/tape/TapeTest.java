package dev.semel.blackpipe.tape;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClients;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TapeTest {
    @TempDir
    private Path folder;

    /** A case of three writes, the second of which loses its answer. */
    private static String program(String uri) {
        StringBuilder outcome = new StringBuilder();
        try (var client = MongoClients.create(uri)) {
            var collection = client.getDatabase("db").getCollection("c");
            for (int i = 0; i < 3; i++) {
                try {
                    collection.insertOne(new Document("_id", i));
                    outcome.append("ok ");
                } catch (MongoException e) {
                    outcome.append("lost ");
                }
            }
            return outcome.append(collection.countDocuments()).toString();
        }
    }

    @Test
    void recordedCaseRepeatsWithoutItsServer() throws IOException {
        var file = folder.resolve("case.tape");
        String before;
        try (var server = Server.start(ServerOptions.memory());
                var proxy = Proxy.start(
                        server.connectionString() + "&retryWrites=false",
                        Plan.of(Rule.of(command("insert"), Phase.AFTER_APPLY, new Action.Close())
                                .nth(2)));
                var tape = TapeWriter.to(file)) {
            proxy.observe(tape);
            before = program(proxy.uri());
        }
        assertThat(before).isEqualTo("ok lost ok 3");
        try (var player = TapePlayer.start(file, 0)) {
            assertThat(program(player.uri() + "&retryWrites=false")).isEqualTo(before);
            assertThat(player.left()).isZero();
        }
    }

    @Test
    void fileThatIsNoTapeIsNamedWithItsLine() throws IOException {
        var file = Files.writeString(folder.resolve("x.tape"), "{\"request\": {\"ping\": 1}}\n{\"a\": 1}\n");
        assertThatThrownBy(() -> TapePlayer.start(file, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x.tape, line 2: no line of a tape");
    }
}
