package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.description.ServerType;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ReadPreference;
import java.io.IOException;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the next attempt goes when there are several servers. */
class ManyServersTest {
    private static final Document ONE = new Document("_id", 1);
    private static final String UNREACHABLE =
            "{ok: 0, code: 6, errmsg: 'unreachable', errorLabels: ['RetryableWriteError']}";
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: []}}";

    private static MongoClient open(String uri) {
        var client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .build());
        // A retry goes elsewhere only if the client knows where that is.
        Await.until(() ->
                client.getClusterDescription().servers().stream().noneMatch(each -> each.type() == ServerType.UNKNOWN));
        return client;
    }

    private static String uri(RecordingServer one, RecordingServer other) {
        return "mongodb://" + one.address() + "," + other.address()
                + "/?serverMonitoringMode=poll&heartbeatFrequencyMS=10000&localThresholdMS=10000";
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }

    /** RWP-4, RRP-2.1: several times, because a router that is chosen at random may be the other one by chance. */
    @ParameterizedTest
    @CsvSource({"insert", "find"})
    void failedRouterIsPassedOverAndErrorsNameTheirServer(String command) throws IOException {
        try (var one = RecordingServer.router();
                var other = RecordingServer.router();
                var client = open(uri(one, other))) {
            List.of(one, other).forEach(each -> each.answer((heard, count) -> UNREACHABLE));

            for (int times = 1; times <= 8; times++) {
                var failure = catchThrowableOfType(MongoCommandException.class, () -> perform(client, command));

                assertThat(one.commands(command)).hasSize(times);
                assertThat(other.commands(command)).hasSize(times);
                var first = (MongoCommandException) failure.getSuppressed()[0];
                assertThat(List.of(first.getServerAddress(), failure.getServerAddress()))
                        .containsExactlyInAnyOrder(one.address(), other.address());
            }
        }
    }

    /** RWP-5, RRP-2.2. */
    @ParameterizedTest
    @CsvSource({"insert", "find"})
    void onlyRouterIsUsedAgain(String command) throws IOException {
        try (var router = RecordingServer.router();
                var client = open(router.uri())) {
            router.answer(
                    (heard, count) -> count == 0 ? UNREACHABLE : command.equals("find") ? FOUND : "{ok: 1, n: 1}");

            perform(client, command);

            assertThat(router.commands(command)).hasSize(2);
        }
    }

    private static void perform(MongoClient client, String command) {
        if (command.equals("insert")) {
            collection(client).insertOne(ONE);
        } else {
            collection(client).find().first();
        }
    }

    /** RRP-3.1, RRP-3.2, RRP-3.3: only an overloaded member is left alone, and only if the application wants that. */
    @ParameterizedTest
    @CsvSource({"true, true, 1, 1", "false, true, 2, 0", "true, false, 2, 0"})
    void overloadedMemberIsPassedOverWhereWanted(boolean isOverload, boolean isWanted, int onPrimary, int onSecondary)
            throws IOException {
        try (var primary = new RecordingServer();
                var secondary = new RecordingServer()) {
            primary.greet(RecordingServer.member(primary, "isWritablePrimary: true", primary, secondary));
            secondary.greet(
                    RecordingServer.member(secondary, "isWritablePrimary: false, secondary: true", primary, secondary));
            String labels = isOverload ? "'RetryableError', 'SystemOverloadedError'" : "'RetryableError'";
            primary.answer((heard, count) ->
                    count == 0 ? "{ok: 0, code: 6, errmsg: 'x', errorLabels: [" + labels + "]}" : FOUND);
            secondary.answer((heard, count) -> FOUND);
            try (var client = open(uri(primary, secondary) + (isWanted ? "&enableOverloadRetargeting=true" : ""))) {
                // While the primary is not known, another member is as good.
                Await.until(() -> client.getClusterDescription().servers().stream()
                        .noneMatch(each -> each.type() == ServerType.UNKNOWN));
                collection(client)
                        .withReadPreference(ReadPreference.primaryPreferred())
                        .find()
                        .first();

                assertThat(primary.commands("find")).hasSize(onPrimary);
                assertThat(secondary.commands("find")).hasSize(onSecondary);
            }
        }
    }

    @Test
    void retryGoesToTheNewPrimary() throws IOException {
        try (var one = new RecordingServer();
                var other = new RecordingServer()) {
            one.greet(RecordingServer.member(one, "isWritablePrimary: true", one, other));
            other.greet(RecordingServer.member(other, "isWritablePrimary: false, secondary: true", one, other));
            one.answer((heard, count) -> {
                one.greet(RecordingServer.member(one, "isWritablePrimary: false, secondary: true", one, other));
                other.greet(RecordingServer.member(other, "isWritablePrimary: true", one, other));
                return "{ok: 0, code: 10107, errmsg: 'not primary',"
                        + " errorLabels: ['RetryableWriteError', 'NoWritesPerformed']}";
            });
            other.answer((heard, count) -> "{ok: 1, n: 1}");
            try (var client = open(uri(one, other) + "&retryWrites=true")) {
                collection(client).insertOne(ONE);
            }
            assertThat(one.commands("insert")).hasSize(1);
            assertThat(other.commands("insert")).hasSize(1);
            assertThat(other.commands("insert").get(0).get("txnNumber"))
                    .isEqualTo(one.commands("insert").get(0).get("txnNumber"));
        }
    }
}
