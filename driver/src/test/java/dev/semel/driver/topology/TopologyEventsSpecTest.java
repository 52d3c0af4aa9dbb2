package dev.semel.driver.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Metadata;
import dev.semel.driver.connection.RuntimeEnvironment;
import dev.semel.driver.connection.Time;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.event.ClusterListener;
import dev.semel.driver.logging.Log;
import dev.semel.driver.logging.LoggerSettings;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.ServerMonitoringMode;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.driver.setting.UriOption;
import dev.semel.driver.spec.SpecTests;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The published tables of monitoring events: who answers what, and which events a listener gets then, in which order. */
class TopologyEventsSpecTest {
    private static final BsonString TOPOLOGY_ID = new BsonString("42");

    @TestFactory
    Stream<DynamicTest> events() {
        return SpecTests.in("server-discovery-and-monitoring/monitoring").stream()
                .map(file -> dynamicTest(file.name(), () -> run(file.content())));
    }

    private static void run(BsonDocument test) {
        var events = new CopyOnWriteArrayList<BsonDocument>();
        var end = new CountDownLatch(1);
        try (var topology = new Topology(
                settings(new ConnectionString(test.getString("uri").getValue()), event -> heard(event, events, end)))) {
            topology.start();
            int compared = 0;
            for (BsonValue phase : test.getArray("phases")) {
                phase.asDocument().getArray("responses", new BsonArray()).forEach(each -> answer(topology, each));
                List<BsonDocument> expected = phase.asDocument().getDocument("outcome").getArray("events").stream()
                        .map(BsonValue::asDocument)
                        .toList();
                assertThat(events).isEqualTo(expected);
                compared += expected.size();
                events.clear();
            }
            assertThat(compared).as("events that the data expects").isPositive();
        } finally {
            end.countDown();
        }
    }

    private static void answer(Topology topology, BsonValue response) {
        var address = new ServerAddress(response.asArray().get(0).asString().getValue());
        BsonDocument hello = response.asArray().get(1).asDocument();
        topology.heard(
                hello.isEmpty()
                        ? ServerDescription.unknown(address)
                        : ServerDescription.of(address, hello, Duration.ZERO, Duration.ZERO));
    }

    /** A monitor's first heartbeat never gets beyond its start: the test answers in place of the servers. */
    private static void heard(ClusterEvent event, Collection<BsonDocument> events, CountDownLatch end) {
        if (event instanceof ClusterEvent.HeartbeatStarted) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        BsonDocument document = document(event);
        if (document != null) {
            events.add(document);
        }
    }

    private static TopologySettings settings(ConnectionString uri, ClusterListener listener) {
        var log = new Log(LoggerSettings.DEFAULT);
        var metadata = new Metadata(null, "0", new RuntimeEnvironment(Map.of(), false));
        return new TopologySettings(
                uri.hosts(),
                (String) uri.option(UriOption.REPLICA_SET),
                (Boolean) uri.option(UriOption.DIRECT_CONNECTION),
                Boolean.TRUE.equals(uri.option(UriOption.LOAD_BALANCED)),
                Duration.ofHours(1),
                Duration.ofHours(1),
                ServerMonitoringMode.POLL,
                Duration.ZERO,
                Duration.ZERO,
                null,
                PoolSettings.DEFAULT,
                new ConnectionSettings(
                        metadata,
                        null,
                        TlsSettings.OFF,
                        null,
                        List.of(),
                        -1,
                        null,
                        Boolean.TRUE.equals(uri.option(UriOption.LOAD_BALANCED)),
                        Duration.ZERO,
                        null,
                        null,
                        () -> 1,
                        Time.ofSystem()),
                List.of(listener),
                List.of(),
                log,
                new Random(1));
    }

    // ---- events as the data has them

    private static @Nullable BsonDocument document(ClusterEvent event) {
        return switch (event) {
            case ClusterEvent.TopologyOpening opening -> named("topology_opening_event");
            case ClusterEvent.TopologyDescriptionChanged changed ->
                named("topology_description_changed_event", topology(changed.previous()), topology(changed.current()));
            case ClusterEvent.TopologyClosed closed -> named("topology_closed_event");
            case ClusterEvent.ServerOpening opening -> named("server_opening_event", opening.address());
            case ClusterEvent.ServerClosed closed -> named("server_closed_event", closed.address());
            case ClusterEvent.ServerDescriptionChanged changed ->
                named(
                        "server_description_changed_event",
                        changed.address(),
                        server(changed.previous()),
                        server(changed.current()));
            default -> null;
        };
    }

    private static BsonDocument named(String name) {
        return new BsonDocument(name, new BsonDocument("topologyId", TOPOLOGY_ID));
    }

    private static BsonDocument named(String name, ServerAddress address) {
        BsonDocument event = named(name);
        event.getDocument(name).append("address", new BsonString(address.toString()));
        return event;
    }

    private static BsonDocument named(String name, BsonDocument previous, BsonDocument current) {
        BsonDocument event = named(name);
        event.getDocument(name).append("previousDescription", previous).append("newDescription", current);
        return event;
    }

    private static BsonDocument named(String name, ServerAddress address, BsonDocument previous, BsonDocument current) {
        BsonDocument event = named(name, address);
        event.getDocument(name).append("previousDescription", previous).append("newDescription", current);
        return event;
    }

    private static BsonDocument topology(TopologyDescription description) {
        var document = new BsonDocument(
                "topologyType", new BsonString(description.type().label()));
        if (description.setName() != null) {
            document.append("setName", new BsonString(description.setName()));
        }
        var servers = new BsonArray();
        description.servers().forEach(each -> servers.add(server(each)));
        return document.append("servers", servers);
    }

    private static BsonDocument server(ServerDescription description) {
        var document = new BsonDocument(
                        "address", new BsonString(description.address().toString()))
                .append("arbiters", addresses(description.arbiters()))
                .append("hosts", addresses(description.hosts()))
                .append("passives", addresses(description.passives()));
        if (description.primary() != null) {
            document.append("primary", new BsonString(description.primary().toString()));
        }
        if (description.setName() != null) {
            document.append("setName", new BsonString(description.setName()));
        }
        return document.append("type", new BsonString(description.type().label()));
    }

    private static BsonArray addresses(Collection<ServerAddress> addresses) {
        return new BsonArray(
                addresses.stream().map(each -> new BsonString(each.toString())).toList());
    }
}
