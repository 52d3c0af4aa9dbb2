package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.golden.example.ClientProgram;
import dev.semel.golden.example.Example;
import dev.semel.golden.example.JavaExample;
import dev.semel.golden.example.JavaExample.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Writes with tokens, sent again and again by several clients to a server that is killed meanwhile. */
class OnceKillTest {
    private static final String PAGE = "docs/retryable-writes.md";
    private static final String DOCUMENTED_URI = "mongodb://127.0.0.1:27017/?replicaSet=rs0";
    private static final int TOKENS = 300;
    private static final int KILLS = 3;

    private static final Setting OFFICIAL = setting("com.mongodb.client.MongoClients");
    private static final Setting OURS = setting("dev.semel.driver.MongoClients");

    @TempDir
    private Path folder;

    private static Setting setting(String clients) {
        return new Setting(
                "",
                "var client = " + clients + ".create(uri);\n"
                        + "var accounts = client.getDatabase(\"bank\").getCollection(\"accounts\");\n",
                "client.close();");
    }

    private ServerProcess start(String port) throws Exception {
        return ServerProcess.start(folder, "--dbpath", folder.resolve("data").toString(), "--port", port);
    }

    /** Each sample is pasted as it is on the page, before and after a kill: together they pay once. */
    @Test
    void theSamplesOfAllLanguagesPayOnce() throws Exception {
        List<Example> samples = Example.on(PAGE);
        try (var server = start("0")) {
            payByAll(samples, server.awaitReady());
            server.kill();
        }
        try (var server = start("0")) {
            String uri = server.awaitReady();
            payByAll(samples, uri);
            try (MongoClient client = MongoClients.create(uri)) {
                Document alice = client.getDatabase("bank")
                        .getCollection("accounts")
                        .find()
                        .first();
                assertThat(alice).isEqualTo(new Document("_id", "alice").append("balance", -10));
            }
        }
    }

    private static void payByAll(List<Example> samples, String uri) throws Exception {
        paste(ClientProgram.MONGOSH, samples.get(0), uri);
        paste(ClientProgram.PYTHON, samples.get(1), uri);
        paste(ClientProgram.NODE, samples.get(2), uri);
        JavaExample.run(OFFICIAL, samples.get(3).code(), uri);
        JavaExample.run(OURS, samples.get(4).code(), uri);
    }

    private static void paste(ClientProgram program, Example sample, String uri) throws Exception {
        try {
            var said = program.run(uri, sample.code().replace(DOCUMENTED_URI, uri));
            assertThat(said.exitCode()).as(said.output()).isZero();
        } catch (TestAbortedException missing) {
            // The others are run all the same; it has said that it is skipped.
        }
    }

    /** Two clients work through the same queue, each until it has every answer. */
    @Test
    void twoClientsThatSendEverythingPayOnceThroughKills() throws Exception {
        var server = start("0");
        try (var threads = Executors.newFixedThreadPool(2)) {
            String uri = server.awaitReady();
            String port = uri.replaceAll(".*:(\\d+)/.*", "$1");
            var answered = new Semaphore(0);
            List<Future<Integer>> clients = IntStream.range(0, 2)
                    .mapToObj(each -> threads.submit((Callable<Integer>) () -> work(uri, answered)))
                    .toList();
            for (int kill = 1; kill <= KILLS; kill++) {
                assertThat(answered.tryAcquire(2 * TOKENS / (KILLS + 1), 2, TimeUnit.MINUTES))
                        .isTrue();
                server.kill();
                server.close();
                server = start(port);
                server.awaitReady();
            }
            for (Future<Integer> each : clients) {
                assertThat(each.get()).isEqualTo(TOKENS);
            }
            try (MongoClient client = MongoClients.create(uri)) {
                assertThat(client.getDatabase("bank")
                                .getCollection("accounts")
                                .find()
                                .first())
                        .isEqualTo(new Document("_id", "alice").append("balance", TOKENS));
            }
        } finally {
            server.close();
        }
    }

    private static int work(String uri, Semaphore answered) {
        int modified = 0;
        try (MongoClient client = MongoClients.create(uri + "&retryWrites=false&serverSelectionTimeoutMS=20000")) {
            MongoCollection<Document> accounts = client.getDatabase("bank").getCollection("accounts");
            for (int token = 0; token < TOKENS; token++) {
                modified += pay(accounts, "payment-" + token);
                answered.release();
            }
        }
        return modified;
    }

    private static int pay(MongoCollection<Document> accounts, String token) {
        var options = new com.mongodb.client.model.FindOneAndUpdateOptions()
                .upsert(true)
                .returnDocument(com.mongodb.client.model.ReturnDocument.AFTER)
                .comment(new BsonDocument("once", new BsonString(token)));
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (System.nanoTime() < deadline) {
            try {
                Document after = accounts.findOneAndUpdate(
                        new Document("_id", "alice"), new Document("$inc", new Document("balance", 1)), options);
                assertThat(after).isNotNull();
                return 1;
            } catch (MongoException e) {
                // Whatever it was: the same again.
            }
        }
        return fail("no answer for %s", token);
    }
}
