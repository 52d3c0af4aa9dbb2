package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.event.ConnectionPoolEvent.FailReason;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who waits for a connection when the pool is cleared has sent nothing, and tries again. */
class PoolClearedTest {
    /** RWP-2, RRP-1. */
    @ParameterizedTest
    @ValueSource(strings = {"insert", "find"})
    void operationThatWaitedForClearedPoolIsRetried(String command) throws Exception {
        var started = new CopyOnWriteArrayList<CommandStartedEvent>();
        var pool = new CopyOnWriteArrayList<String>();
        var failed = new CopyOnWriteArrayList<RetryEvent>();
        var unknown = new CopyOnWriteArrayList<ClusterEvent>();
        try (var server = TestServer.start();
                var client = server.connect(
                        "&maxPoolSize=1",
                        settings -> settings.addCommandListener(TestServer.recorder(started))
                                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(event -> {
                                    switch (event) {
                                        case ConnectionPoolEvent.CheckedOut each -> pool.add("checked out");
                                        case ConnectionPoolEvent.PoolCleared each -> pool.add("cleared");
                                        case ConnectionPoolEvent.CheckOutFailed each
                                        when each.reason() == FailReason.CONNECTION_ERROR -> pool.add("failed");
                                        default -> {}
                                    }
                                }))
                                .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                                    if (event instanceof ClusterEvent.ServerDescriptionChanged changed
                                            && changed.previous().type().isDataBearing()) {
                                        unknown.add(event);
                                    }
                                }))
                                .addRetryListener(new RetryListener() {
                                    @Override
                                    public void attemptEnded(RetryEvent event) {
                                        failed.add(event);
                                    }
                                }));
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var collection = client.getDatabase("db").getCollection("cleared");
            client.getDatabase("admin").runCommand(new Document("ping", 1));
            started.clear();
            pool.clear();
            server.failCommand(
                    "{times: 1}",
                    "{failCommands: ['" + command + "'], errorCode: 91, blockConnection: true, blockTimeMS: 500,"
                            + " errorLabels: ['RetryableWriteError']}");

            Runnable operation = command.equals("insert")
                    ? () -> collection.insertOne(new Document())
                    : () -> collection.find().first();
            Future<?> one = executor.submit(operation);
            Future<?> other = executor.submit(operation);
            one.get();
            other.get();

            assertThat(started).hasSize(3);
            assertThat(pool).startsWith("checked out", "cleared", "failed");
            assertThat(unknown)
                    .as("only the error of the command, not the failed check-out")
                    .hasSize(1);
            assertThat(failed.stream().filter(each -> each.failure() != null).toList())
                    .hasSize(2)
                    .allSatisfy(each -> assertThat(each.decision()).isEqualTo(RetryEvent.Decision.RETRIED));
            if (command.equals("insert")) {
                assertThat(labels(failed)).allSatisfy(each -> assertThat(each).contains("RetryableWriteError"));
            }
        }
    }

    private static List<java.util.Set<String>> labels(List<RetryEvent> events) {
        return events.stream()
                .map(RetryEvent::failure)
                .filter(java.util.Objects::nonNull)
                .map(each -> each.getErrorLabels())
                .toList();
    }
}
