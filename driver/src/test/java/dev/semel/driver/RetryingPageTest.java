package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.event.RetryListener;
import dev.semel.driver.event.RetryReport;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.ConnectionString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;

/** The examples of docs/retrying.md, run as they stand there. */
class RetryingPageTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().endsWith("driver") ? Path.of("..") : Path.of("");
    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final String CUT = "{failCommands: ['update'], closeConnection: true}";

    private static Bson eq(String field, Object value) {
        return new Document(field, value);
    }

    private static Bson ne(String field, Object value) {
        return new Document(field, new Document("$ne", value));
    }

    private static Bson and(Bson one, Bson other) {
        return new Document("$and", List.of(one, other));
    }

    @Test
    void incrementOfTheArticleIsCountedOnceWhateverIsCut() throws Exception {
        try (var server = TestServer.start()) {
            String uri = server.uri();
            MongoClient client = MongoClients.create(uri + "&timeoutMS=5000");
            MongoCollection<Document> pages = client.getDatabase("site").getCollection("pages");
            MongoCollection<Document> patient = pages.withTimeout(Duration.ofSeconds(60));
            assertThat(patient.getTimeout()).isEqualTo(Duration.ofMinutes(1));

            server.failCommand("{times: 1}", CUT);
            pages.updateOne(
                    eq("_id", "home"),
                    new Document("$inc", new Document("views", 1)),
                    new UpdateOptions().upsert(true));
            assertThat(pages.find().first()).containsEntry("views", 1);

            ObjectId token = new ObjectId();
            for (int i = 0; i < 3; i++) {
                pages.updateOne(
                        and(eq("_id", "home"), ne("seen", token)),
                        new Document("$inc", new Document("views", 1)).append("$push", new Document("seen", token)));
            }
            assertThat(pages.find().first()).containsEntry("views", 2);
            client.close();
        }
    }

    @Test
    void reportSaysWhatBecameOfEachAttempt() throws Exception {
        var lines = new ArrayList<String>();
        try (var server = TestServer.start()) {
            String uri = server.uri();
            MongoClientSettings settings = MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(uri))
                    .addRetryListener(new RetryListener() {
                        @Override
                        public void operationEnded(RetryReport report) {
                            report.attempts()
                                    .forEach(each -> lines.add(each.commandName() + " " + each.attempt() + ": "
                                            + each.decision().reason()));
                        }
                    })
                    .build();
            try (var client = MongoClients.create(settings)) {
                server.failCommand("{times: 1}", CUT);
                client.getDatabase("site").getCollection("pages").updateOne(eq("_id", 1), eq("$set", eq("a", 1)));
                assertThat(client.retryStatistics().rescuedOperations()).isEqualTo(1);
            }
        }
        assertThat(lines)
                .containsExactly(
                        "update 1: the failure may be gone with the next attempt", "update 2: the attempt succeeded");
    }

    @Test
    void examplesOfThePageAreThoseThatRun() throws IOException {
        String source =
                packed(Files.readString(ROOT.resolve("driver/src/test/java/dev/semel/driver/RetryingPageTest.java")));
        List<String> examples = EXAMPLE.matcher(page())
                .results()
                .map(each -> withoutImports(each.group(1)))
                .toList();
        assertThat(examples).hasSize(4).allSatisfy(each -> assertThat(source).contains(packed(each)));
    }

    @Test
    void pageSaysWhatIsNotRetried() throws IOException {
        assertThat(page())
                .contains(
                        "## Not retried",
                        "`getMore`",
                        "`runCommand`, whatever command it runs",
                        "Remove your own retry loops");
    }

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/retrying.md"));
    }

    private static String withoutImports(String code) {
        return code.replaceAll("(?m)^import .*$", "");
    }

    private static String packed(String code) {
        return code.replaceAll("\\s+", "");
    }
}
