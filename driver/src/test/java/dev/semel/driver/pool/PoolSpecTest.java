package dev.semel.driver.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Metadata;
import dev.semel.driver.connection.RuntimeEnvironment;
import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoPoolClosedException;
import dev.semel.driver.error.MongoWaitQueueTimeoutException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.logging.Log;
import dev.semel.driver.logging.LoggerSettings;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.driver.spec.SpecTests;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The published cases of connection pools, with real connections. */
class PoolSpecTest {
    private static final BsonInt32 ANYTHING = new BsonInt32(42);
    private static final int WAIT_MS = 10_000;

    private static Server server;
    private static MongoClient client;

    @BeforeAll
    static void startServer() throws IOException {
        server = Server.start(ServerOptions.memory());
        client = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void stopServer() {
        client.close();
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> pools() {
        return SpecTests.in("connection-monitoring-and-pooling/cmap-format").stream()
                .map(file -> dynamicTest(file.name(), () -> new Run(file.content()).run()));
    }

    /** One case with its own pool. */
    private static final class Run {
        private final BsonDocument test;
        private final List<ConnectionPoolEvent> events = new CopyOnWriteArrayList<>();
        private final Map<String, Connection> labelled = new HashMap<>();
        private final Map<String, Worker> workers = new HashMap<>();
        private final Pool pool;

        Run(BsonDocument test) {
            this.test = test;
            BsonDocument options = test.getDocument("poolOptions", new BsonDocument());
            String name =
                    options.isString("appName") ? options.getString("appName").getValue() : null;
            var requestIds = new AtomicInteger();
            var connections = new ConnectionSettings(
                    new Metadata(name, "test", new RuntimeEnvironment(Map.of(), false)),
                    null,
                    TlsSettings.OFF,
                    null,
                    List.of(),
                    -1,
                    null,
                    false,
                    Duration.ofSeconds(10),
                    null,
                    null,
                    requestIds::incrementAndGet,
                    Time.ofSystem());
            ServerAddress address =
                    new ConnectionString(server.connectionString()).hosts().getFirst();
            var self = new Pool[1];
            if (test.isDocument("failPoint")) {
                client.getDatabase("admin").runCommand(test.getDocument("failPoint"));
            }
            pool = new Pool(
                    address,
                    settings(options),
                    connections,
                    new PoolEvents(List.of(events::add), new Log(LoggerSettings.DEFAULT)),
                    (connection, failure) -> {
                        // As the topology judges what fails before a connection is open.
                        if (failure instanceof MongoCommandException) {
                            self[0].clear(failure, false);
                        }
                    });
            self[0] = pool;
        }

        private static PoolSettings settings(BsonDocument options) {
            return new PoolSettings(
                    number(options, "maxPoolSize", 100),
                    number(options, "minPoolSize", 0),
                    number(options, "maxConnecting", 2),
                    millis(options, "maxIdleTimeMS"),
                    null,
                    millis(options, "waitQueueTimeoutMS"),
                    Duration.ofMillis(number(options, "backgroundThreadIntervalMS", 10_000)));
        }

        private static int number(BsonDocument options, String name, int otherwise) {
            return options.getNumber(name, new BsonInt32(otherwise)).intValue();
        }

        private static @Nullable Duration millis(BsonDocument options, String name) {
            return options.isNumber(name) ? Duration.ofMillis(number(options, name, 0)) : null;
        }

        void run() throws InterruptedException {
            RuntimeException failure = null;
            try {
                for (BsonValue each : test.getArray("operations")) {
                    dispatch(each.asDocument());
                }
            } catch (MongoException e) {
                failure = e;
            } finally {
                if (test.isDocument("failPoint")) {
                    client.getDatabase("admin")
                            .runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off"));
                }
            }
            try {
                checkFailure(failure);
                checkEvents();
            } finally {
                pool.close();
                workers.values().forEach(Worker::stop);
            }
        }

        private void dispatch(BsonDocument operation) throws InterruptedException {
            String thread = text(operation, "thread");
            if (thread != null) {
                worker(thread).work.add(operation);
            } else {
                perform(operation);
            }
        }

        private Worker worker(String name) {
            Worker worker = workers.get(name);
            assertThat(worker).as(name).isNotNull();
            return Objects.requireNonNull(worker);
        }

        private void perform(BsonDocument operation) throws InterruptedException {
            switch (operation.getString("name").getValue()) {
                case "start" -> {
                    String target = String.valueOf(text(operation, "target"));
                    workers.put(target, new Worker());
                }
                case "wait" ->
                    TimeUnit.MILLISECONDS.sleep(operation.getNumber("ms").longValue());
                case "waitForThread" ->
                    worker(String.valueOf(text(operation, "target"))).join();
                case "waitForEvent" -> waitForEvent(operation);
                case "checkOut" -> checkOut(operation);
                case "checkIn" -> {
                    Connection connection = labelled.get(String.valueOf(text(operation, "connection")));
                    pool.checkIn(Objects.requireNonNull(connection));
                }
                case "ready" -> pool.ready();
                case "clear" ->
                    pool.clear(
                            null,
                            operation
                                    .getBoolean("interruptInUseConnections", BsonBoolean.FALSE)
                                    .getValue());
                case "close" -> pool.close();
                default -> throw new AssertionError("unknown operation " + operation.toJson());
            }
        }

        private synchronized void label(@Nullable String label, Connection connection) {
            if (label != null) {
                labelled.put(label, connection);
            }
        }

        private void checkOut(BsonDocument operation) {
            label(text(operation, "label"), pool.checkOut(Deadline.NONE));
        }

        private void waitForEvent(BsonDocument operation) throws InterruptedException {
            String type = operation.getString("event").getValue();
            int count = operation.getNumber("count").intValue();
            long limit = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(number(operation, "timeout", WAIT_MS));
            while (events.stream().filter(each -> type(each).equals(type)).count() < count) {
                assertThat(System.nanoTime())
                        .as("%d events %s, found %s", count, type, events)
                        .isLessThan(limit);
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }

        private void checkFailure(@Nullable RuntimeException failure) {
            if (!test.isDocument("error")) {
                assertThat(failure).isNull();
                return;
            }
            BsonDocument expected = test.getDocument("error");
            assertThat(failure)
                    .isInstanceOf(
                            expected.getString("type").getValue().equals("PoolClosedError")
                                    ? MongoPoolClosedException.class
                                    : MongoWaitQueueTimeoutException.class)
                    .hasMessageContaining(expected.getString("message").getValue());
        }

        private void checkEvents() {
            List<String> ignored = test.getArray("ignore", new BsonArray()).stream()
                    .map(each -> each.asString().getValue())
                    .toList();
            List<ConnectionPoolEvent> told = events.stream()
                    .filter(each -> !ignored.contains(type(each)))
                    .toList();
            BsonArray expected = test.getArray("events");
            assertThat(told)
                    .extracting(Run::type)
                    .startsWith(expected.stream()
                            .map(each -> each.asDocument().getString("type").getValue())
                            .toArray(String[]::new));
            for (int i = 0; i < expected.size(); i++) {
                BsonDocument actual = fields(told.get(i));
                expected.get(i).asDocument().forEach((name, value) -> {
                    BsonValue found = actual.get(name);
                    if (value.equals(ANYTHING)) {
                        assertThat(found).as(name).isNotNull();
                    } else if (value.isDocument()) {
                        assertThat(found).as(name).isNotNull();
                    } else {
                        assertThat(found).as(name).isEqualTo(value);
                    }
                });
            }
        }

        private static String type(ConnectionPoolEvent event) {
            return switch (event) {
                case ConnectionPoolEvent.PoolCreated created -> "ConnectionPoolCreated";
                case ConnectionPoolEvent.PoolReady ready -> "ConnectionPoolReady";
                case ConnectionPoolEvent.PoolCleared cleared -> "ConnectionPoolCleared";
                case ConnectionPoolEvent.PoolClosed closed -> "ConnectionPoolClosed";
                case ConnectionPoolEvent.ConnectionCreated created -> "ConnectionCreated";
                case ConnectionPoolEvent.ConnectionReady ready -> "ConnectionReady";
                case ConnectionPoolEvent.ConnectionClosed closed -> "ConnectionClosed";
                case ConnectionPoolEvent.CheckOutStarted started -> "ConnectionCheckOutStarted";
                case ConnectionPoolEvent.CheckOutFailed failed -> "ConnectionCheckOutFailed";
                case ConnectionPoolEvent.CheckedOut out -> "ConnectionCheckedOut";
                case ConnectionPoolEvent.CheckedIn in -> "ConnectionCheckedIn";
            };
        }

        private static BsonDocument fields(ConnectionPoolEvent event) {
            var fields = new BsonDocument("type", new BsonString(type(event)))
                    .append("address", new BsonString(event.address().toString()))
                    .append("options", new BsonDocument())
                    .append("duration", new BsonInt32(1));
            switch (event) {
                case ConnectionPoolEvent.PoolCleared cleared ->
                    fields.append(
                            "interruptInUseConnections", BsonBoolean.valueOf(cleared.interruptInUseConnections()));
                case ConnectionPoolEvent.ConnectionCreated created ->
                    id(fields, created.id().localValue());
                case ConnectionPoolEvent.ConnectionReady ready ->
                    id(fields, ready.id().localValue());
                case ConnectionPoolEvent.ConnectionClosed closed -> {
                    id(fields, closed.id().localValue());
                    fields.append("reason", new BsonString(closed.reason().label()));
                }
                case ConnectionPoolEvent.CheckOutFailed failed ->
                    fields.append("reason", new BsonString(failed.reason().label()));
                case ConnectionPoolEvent.CheckedOut out -> id(fields, out.id().localValue());
                case ConnectionPoolEvent.CheckedIn in -> id(fields, in.id().localValue());
                default -> {}
            }
            return fields;
        }

        private static void id(BsonDocument fields, int id) {
            fields.append("connectionId", new BsonInt32(id));
        }

        private static @Nullable String text(BsonDocument operation, String name) {
            return operation.isString(name) ? operation.getString(name).getValue() : null;
        }

        /** A thread of the case: performs what it is given, in order. */
        private final class Worker {
            private final BlockingQueue<BsonDocument> work = new LinkedBlockingQueue<>();
            private final List<MongoException> failures = new ArrayList<>();
            private final Thread thread = Thread.ofVirtual().start(this::loop);

            private void loop() {
                try {
                    while (true) {
                        BsonDocument operation = work.take();
                        if (operation.isEmpty()) {
                            return;
                        }
                        try {
                            perform(operation);
                        } catch (MongoException e) {
                            failures.add(e);
                        }
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }

            /** What failed on the thread fails the case, unless the case expects it. */
            void join() throws InterruptedException {
                work.add(new BsonDocument());
                thread.join();
                if (!failures.isEmpty()) {
                    throw failures.getFirst();
                }
            }

            void stop() {
                thread.interrupt();
            }
        }
    }
}
