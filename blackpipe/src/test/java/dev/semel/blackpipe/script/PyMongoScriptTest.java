package dev.semel.blackpipe.script;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.PyMongo;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scripted server as Python's driver sees it. */
class PyMongoScriptTest {
    private static final String INSERT = """
        import sys, pymongo
        client = pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=8000)
        print(client.db.c.insert_one({"_id": 7}).inserted_id)
        """;

    @BeforeEach
    void pyMongo() throws IOException {
        PyMongo.assume();
    }

    @Test
    void writeIsSentAgainAfterHalfAReplyWithTheSameNumber() throws IOException {
        try (var server = ScriptedServer.start()) {
            var program = Pending.of(() -> PyMongo.run(INSERT, server.uri()));
            var first = server.receives(command("insert").on("db.c").with("txnNumber"));
            first.hangUpAfter(20);
            var second = server.receives(command("insert").on("db.c"));
            assertThat(second.request().get("txnNumber"))
                    .isEqualTo(first.request().get("txnNumber"));
            second.reply("{\"ok\": 1, \"n\": 1}");
            assertThat(program.result()).isEqualTo("7");
        }
    }

    @Test
    void errorReachesTheProgram() throws IOException {
        try (var server = ScriptedServer.start()) {
            var program = Pending.of(() -> PyMongo.run(INSERT, server.uri()));
            server.receives(command("insert")).error(121);
            assertThat(program.result()).contains("scripted error 121").contains("DocumentValidationFailure");
        }
    }
}
