package dev.semel.driver.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.spec.SpecTests;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The published tables of server selection. */
class ServerSelectionSpecTest {
    @TestFactory
    Stream<DynamicTest> selection() {
        return cases("server-selection/server_selection");
    }

    @TestFactory
    Stream<DynamicTest> maxStaleness() {
        return cases("max-staleness");
    }

    private static Stream<DynamicTest> cases(String suite) {
        return SpecTests.in(suite).stream().map(file -> dynamicTest(file.name(), () -> run(file.content())));
    }

    private static void run(BsonDocument test) {
        TopologyDescription topology = topology(test.getDocument("topology_description"));
        Duration heartbeat = Duration.ofMillis(
                test.getNumber("heartbeatFrequencyMS", new BsonInt32(10_000)).longValue());
        List<ServerAddress> avoided =
                test.isArray("deprioritized_servers") ? addresses(test.getArray("deprioritized_servers")) : List.of();
        if (test.containsKey("error") && test.get("error").asBoolean().getValue()) {
            assertThatThrownBy(() -> ServerSelection.suitable(topology, criterion(test), avoided, heartbeat));
            return;
        }
        List<ServerDescription> suitable = ServerSelection.suitable(topology, criterion(test), avoided, heartbeat);
        assertThat(suitable)
                .extracting(ServerDescription::address)
                .containsExactlyInAnyOrderElementsOf(addresses(test.getArray("suitable_servers")));
        assertThat(ServerSelection.inLatencyWindow(suitable, Duration.ofMillis(15)))
                .extracting(ServerDescription::address)
                .containsExactlyInAnyOrderElementsOf(addresses(test.getArray("in_latency_window")));
    }

    private static ServerSelection.Criterion criterion(BsonDocument test) {
        if (test.getString("operation", new BsonString("read")).getValue().equals("write")) {
            return new ServerSelection.Criterion.Writable();
        }
        return new ServerSelection.Criterion.ByPreference(
                preference(test.getDocument("read_preference", new BsonDocument())));
    }

    private static ReadPreference preference(BsonDocument document) {
        var mode = ReadPreference.Mode.named(
                        document.getString("mode", new BsonString("Primary")).getValue())
                .orElseThrow();
        List<Map<String, String>> tagSets = document.isArray("tag_sets")
                ? document.getArray("tag_sets").stream()
                        .map(each -> tags(each.asDocument()))
                        .toList()
                : List.of();
        return new ReadPreference(
                mode,
                tagSets,
                document.isNumber("maxStalenessSeconds")
                        ? Duration.ofSeconds(
                                document.getNumber("maxStalenessSeconds").longValue())
                        : null);
    }

    private static Map<String, String> tags(BsonDocument document) {
        var tags = new HashMap<String, String>();
        document.forEach((name, value) -> tags.put(name, value.asString().getValue()));
        return tags;
    }

    private static TopologyDescription topology(BsonDocument document) {
        var servers = new LinkedHashMap<ServerAddress, ServerDescription>();
        for (BsonValue each : document.getArray("servers")) {
            ServerDescription server = server(each.asDocument());
            servers.put(server.address(), server);
        }
        TopologyType type = Arrays.stream(TopologyType.values())
                .filter(each -> each.label().equals(document.getString("type").getValue()))
                .findFirst()
                .orElseThrow();
        return new TopologyDescription(type, null, null, null, servers);
    }

    private static ServerDescription server(BsonDocument document) {
        var hello = new BsonDocument("ok", new BsonInt32(1))
                .append("maxWireVersion", document.get("maxWireVersion", new BsonInt32(21)))
                .append("lastWrite", document.get("lastWrite", new BsonDocument()))
                .append("tags", document.get("tags", new BsonDocument()));
        BsonDocument lastWrite = hello.getDocument("lastWrite");
        if (lastWrite.isNumber("lastWriteDate")) {
            lastWrite.put(
                    "lastWriteDate",
                    new BsonDateTime(lastWrite.getNumber("lastWriteDate").longValue()));
        }
        ServerType type = Arrays.stream(ServerType.values())
                .filter(each -> each.label().equals(document.getString("type").getValue()))
                .findFirst()
                .orElseThrow();
        return ServerDescription.of(
                        new ServerAddress(document.getString("address").getValue()),
                        hello,
                        null,
                        Duration.ofMillis(document.getNumber("lastUpdateTime", new BsonInt32(0))
                                .longValue()))
                .withType(type)
                .withRoundTripTime(
                        Duration.ofMillis(document.getNumber("avg_rtt_ms", new BsonInt32(0))
                                .longValue()),
                        Duration.ZERO);
    }

    private static List<ServerAddress> addresses(BsonArray servers) {
        return servers.stream()
                .map(each ->
                        new ServerAddress(each.asDocument().getString("address").getValue()))
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> leastBusyInTheWindow() {
        return SpecTests.in("server-selection/in_window").stream()
                .map(file -> dynamicTest(file.name(), () -> runInWindow(file.content())));
    }

    private static void runInWindow(BsonDocument test) {
        TopologyDescription topology = topology(test.getDocument("topology_description"));
        var counts = new HashMap<ServerAddress, Integer>();
        for (BsonValue each : test.getArray("mocked_topology_state")) {
            counts.put(
                    new ServerAddress(each.asDocument().getString("address").getValue()),
                    each.asDocument().getNumber("operation_count").intValue());
        }
        int iterations = test.getNumber("iterations").intValue();
        var random = new Random(1);
        var chosen = new HashMap<ServerAddress, Integer>();
        var criterion = new ServerSelection.Criterion.ByPreference(ReadPreference.nearest());
        for (int i = 0; i < iterations; i++) {
            var suitable = ServerSelection.suitable(topology, criterion, List.of(), Duration.ofSeconds(10));
            var inWindow = ServerSelection.inLatencyWindow(suitable, Duration.ofMillis(15));
            var server = ServerSelection.lessBusy(inWindow, each -> counts.getOrDefault(each, 0), random);
            chosen.merge(server.address(), 1, Integer::sum);
        }
        BsonDocument outcome = test.getDocument("outcome");
        double tolerance = outcome.getNumber("tolerance").doubleValue();
        outcome.getDocument("expected_frequencies")
                .forEach((address, frequency) -> assertThat(
                                chosen.getOrDefault(new ServerAddress(address), 0) / (double) iterations)
                        .as(address)
                        .isEqualTo(frequency.asNumber().doubleValue(), within(Math.max(tolerance, 0.001))));
    }

    @TestFactory
    Stream<DynamicTest> roundTripTimes() {
        return SpecTests.in("server-selection/rtt").stream()
                .map(file -> dynamicTest(file.name(), () -> {
                    BsonDocument test = file.content();
                    Duration before = test.isNumber("avg_rtt_ms") ? millis(test, "avg_rtt_ms") : null;
                    assertThat(RoundTrip.next(before, millis(test, "new_rtt_ms")))
                            .isEqualTo(millis(test, "new_avg_rtt"));
                }));
    }

    private static Duration millis(BsonDocument test, String name) {
        return Duration.ofNanos(Math.round(test.getNumber(name).doubleValue() * 1e6));
    }
}
