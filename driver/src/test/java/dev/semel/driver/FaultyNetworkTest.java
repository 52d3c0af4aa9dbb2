package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.audit.Audit;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.audit.Verdict;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A write through a network with faults, to a real server, happens exactly once. */
class FaultyNetworkTest {
    private static final Match INSERT = Match.command("insert").on("db.c");
    private static final Document DAY = new Document("_id", "day");

    private static Server server;

    @BeforeAll
    static void serve() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterAll
    static void end() {
        server.close();
    }

    /** How many documents there are after one insert. */
    private static long insertThrough(Rule fault, String options) throws IOException {
        try (var direct = MongoClients.create(server.connectionString());
                var proxy = Proxy.start(server.connectionString(), Plan.of(fault));
                var client = MongoClients.create(proxy.uri() + options)) {
            direct.getDatabase("db").drop();
            client.getDatabase("db").getCollection("c").insertOne(new Document());
            return direct.getDatabase("db").getCollection("c").countDocuments();
        }
    }

    @Test
    void writeIsRetriedWhenTheReplyIsCut() throws IOException {
        var fault = Rule.of(INSERT, Phase.WITHIN_REPLY, new Action.Close()).atByte(20);
        assertThat(insertThrough(fault, "")).isEqualTo(1);
    }

    @Test
    void writeIsRetriedAfterABlackHole() throws IOException {
        var fault = Rule.of(INSERT, Phase.AFTER_APPLY, new Action.BlackHole(2_000));
        assertThat(insertThrough(fault, "&socketTimeoutMS=1500&connectTimeoutMS=1500&heartbeatFrequencyMS=500"))
                .isEqualTo(1);
    }

    @Test
    void retryableWriteIsCorrectWhateverGoesWrong() throws Exception {
        var report = Audit.of(FaultyNetworkTest::increment)
                .invariant(FaultyNetworkTest::counter)
                .target(server.connectionString())
                .selectionTimeout(Duration.ofMillis(1200))
                .faults(Kind.values())
                .parallel(5)
                .withoutBackground()
                .run();
        assertThat(report.findings()).hasSize(15);
        assertThat(report.findings())
                .filteredOn(each -> each.verdict() != Verdict.CORRECT)
                .extracting(each -> each.point() + ": " + each.verdict().label() + ", " + each.error())
                .isEmpty();
    }

    private static void increment(String uri) {
        try (var client = MongoClients.create(uri)) {
            days(client, uri)
                    .updateOne(DAY, new Document("$inc", new Document("counter", 1)), new UpdateOptions().upsert(true));
        }
    }

    private static long counter(String uri) {
        try (var client = MongoClients.create(uri)) {
            Document day = days(client, uri).find(DAY).first();
            return day == null ? 0 : day.getInteger("counter");
        }
    }

    private static MongoCollection<Document> days(MongoClient client, String uri) {
        String database = Objects.requireNonNull(new ConnectionString(uri).getDatabase());
        return client.getDatabase(database).getCollection("days");
    }
}
