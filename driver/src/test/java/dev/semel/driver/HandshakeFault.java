package dev.semel.driver;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.setting.ConnectionString;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;

/**
 * A primary that hangs up during the first handshakes of a client's pool, and the client. The monitor's handshake succeeds, so
 * that the server is known.
 */
final class HandshakeFault implements AutoCloseable {
    private static final String LOGGED_IN =
            "{ok: 1, conversationId: 1, done: true, payload: {$binary: {base64: '', subType: '00'}}}";
    private static final String FOUND = "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', firstBatch: [{_id: 1}]}}";

    private final AtomicInteger cut = new AtomicInteger();
    private final List<MongoException> failures = new CopyOnWriteArrayList<>();
    private final RecordingServer server;
    private final MongoClient client;

    /**
     * @param command the command of the handshake that gets no answer: {@code hello} or {@code saslStart}
     * @param times how many handshakes fail
     */
    HandshakeFault(String command, int times, String... options) throws IOException {
        server = RecordingServer.primary();
        String hello = RecordingServer.member(server, "isWritablePrimary: true", server);
        server.helloEach(connection -> {
            boolean isMonitor = connection == 1;
            return command.equals("hello") && !isMonitor && isInjected(times) ? null : hello;
        });
        server.answer((heard, count) -> switch (heard.getFirstKey()) {
            case "saslStart" -> command.equals("saslStart") && isInjected(times) ? null : LOGGED_IN;
            case "find" -> FOUND;
            default -> "{ok: 1, n: 1}";
        });
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri().replace("://", "://ann:word@")
                        + "&authMechanism=PLAIN&authSource=$external" + String.join("", options)))
                .applyToServerSettings(servers -> servers.minHeartbeatFrequency(java.time.Duration.ofMillis(10)))
                .addRetryListener(new RetryListener() {
                    @Override
                    public void attemptEnded(RetryEvent event) {
                        if (event.failure() != null) {
                            failures.add(event.failure());
                        }
                    }
                })
                .build());
        Await.until(() -> client.getClusterDescription().servers().stream()
                .allMatch(each -> each.type().isWritable()));
    }

    private boolean isInjected(int times) {
        return cut.getAndUpdate(before -> Math.min(times, before + 1)) < times;
    }

    MongoClient client() {
        return client;
    }

    /** How many handshakes failed. */
    int cut() {
        return cut.get();
    }

    /** What failed attempts of operations were told. */
    List<MongoException> failures() {
        return failures;
    }

    List<BsonDocument> commands(String name) {
        return server.commands(name);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
