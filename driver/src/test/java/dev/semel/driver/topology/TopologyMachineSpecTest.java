package dev.semel.driver.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.description.TopologyVersion;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketReadException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoWriteConcernException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.UriOption;
import dev.semel.driver.spec.SpecTests;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The published tables of server discovery: who answers what, and what is known then. */
class TopologyMachineSpecTest {
    private static final String SUITE = "server-discovery-and-monitoring/";

    @TestFactory
    Stream<DynamicTest> replicaSets() {
        return cases("rs");
    }

    @TestFactory
    Stream<DynamicTest> shardedClusters() {
        return cases("sharded");
    }

    @TestFactory
    Stream<DynamicTest> singleServers() {
        return cases("single");
    }

    @TestFactory
    Stream<DynamicTest> loadBalancers() {
        return cases("load-balanced");
    }

    @TestFactory
    Stream<DynamicTest> errors() {
        return cases("errors");
    }

    private static Stream<DynamicTest> cases(String folder) {
        return SpecTests.in(SUITE + folder).stream()
                .map(file -> dynamicTest(file.name(), () -> new Run(file.content()).run()));
    }

    /** One table, from its first phase to its last. */
    private static final class Run {
        private final BsonDocument test;
        private TopologyDescription description;
        private final Map<ServerAddress, Integer> generations = new HashMap<>();

        Run(BsonDocument test) {
            this.test = test;
            var uri = new ConnectionString(test.getString("uri").getValue());
            description = TopologyMachine.initial(
                    uri.hosts(),
                    (String) uri.option(UriOption.REPLICA_SET),
                    (Boolean) uri.option(UriOption.DIRECT_CONNECTION),
                    Boolean.TRUE.equals(uri.option(UriOption.LOAD_BALANCED)));
            if (Boolean.TRUE.equals(uri.option(UriOption.LOAD_BALANCED))) {
                description = TopologyMachine.apply(
                        description, ServerDescription.loadBalancer(uri.hosts().getFirst()));
            }
        }

        void run() {
            for (BsonValue each : test.getArray("phases")) {
                BsonDocument phase = each.asDocument();
                if (phase.isArray("responses")) {
                    phase.getArray("responses")
                            .forEach(response -> hear(
                                    new ServerAddress(
                                            response.asArray().get(0).asString().getValue()),
                                    response.asArray().get(1).asDocument()));
                }
                if (phase.isArray("applicationErrors")) {
                    phase.getArray("applicationErrors").forEach(error -> fail(error.asDocument()));
                }
                check(phase.getDocument("outcome"));
            }
        }

        private void hear(ServerAddress address, BsonDocument hello) {
            if (hello.isEmpty()) {
                // The network failed.
                clear(address);
                description = TopologyMachine.apply(description, ServerDescription.unknown(address));
            } else {
                description = TopologyMachine.apply(
                        description, ServerDescription.of(address, hello, Duration.ZERO, Duration.ZERO));
            }
        }

        private void clear(ServerAddress address) {
            generations.merge(address, 1, Integer::sum);
        }

        private void fail(BsonDocument error) {
            var address = new ServerAddress(error.getString("address").getValue());
            int generation = generations.getOrDefault(address, 0);
            ServerDescription known = description.server(address);
            if (known == null
                    || error.getNumber("generation", new BsonInt32(generation)).intValue() < generation) {
                return;
            }
            boolean isHello = error.getString("when").getValue().equals("beforeHandshakeCompletes");
            MongoException failure = failure(error, address, isHello);
            var verdict = FailureVerdict.of(known, failure, isHello ? Connection.Phase.HELLO : Connection.Phase.OPEN);
            if (verdict.marksUnknown()) {
                BsonDocument reply = FailureVerdict.reply(failure);
                description = TopologyMachine.apply(
                        description,
                        ServerDescription.unknown(address, failure, reply == null ? null : TopologyVersion.of(reply)));
            }
            if (verdict.clearsPool()) {
                clear(address);
            }
        }

        private static MongoException failure(BsonDocument error, ServerAddress address, boolean isHello) {
            return switch (error.getString("type").getValue()) {
                case "command" -> {
                    BsonDocument reply = error.getDocument("response");
                    yield reply.getNumber("ok").intValue() == 1 && reply.isDocument("writeConcernError")
                            ? new MongoWriteConcernException(
                                    ErrorReply.writeConcernError(reply.getDocument("writeConcernError")),
                                    reply,
                                    address)
                            : ErrorReply.exception(reply, address);
                }
                case "network" -> {
                    var failure = new MongoSocketReadException("closed", address, null);
                    if (isHello) {
                        // As connections label what fails before the hello is done.
                        failure.addLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL);
                        failure.addLabel(MongoException.RETRYABLE_ERROR_LABEL);
                    }
                    yield failure;
                }
                default -> {
                    var failure = new MongoSocketReadTimeoutException("slow", address, null);
                    if (isHello) {
                        failure.addLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL);
                    }
                    yield failure;
                }
            };
        }

        private void check(BsonDocument outcome) {
            assertThat(description.type().label())
                    .isEqualTo(outcome.getString("topologyType").getValue());
            assertThat(string(description.setName())).isEqualTo(outcome.get("setName"));
            assertThat(number(description.logicalSessionTimeoutMinutes()))
                    .isEqualTo(outcome.get("logicalSessionTimeoutMinutes", BsonNull.VALUE));
            if (outcome.containsKey("compatible")) {
                assertThat(description.incompatibility() == null)
                        .isEqualTo(outcome.getBoolean("compatible").getValue());
            }
            if (outcome.containsKey("maxSetVersion")) {
                assertThat(number(description.maxSetVersion())).isEqualTo(outcome.get("maxSetVersion"));
            }
            if (outcome.containsKey("maxElectionId")) {
                var id = description.maxElectionId();
                assertThat(id == null ? BsonNull.VALUE : new BsonObjectId(id)).isEqualTo(outcome.get("maxElectionId"));
            }
            BsonDocument servers = outcome.getDocument("servers");
            Set<ServerAddress> addresses =
                    servers.keySet().stream().map(ServerAddress::new).collect(Collectors.toSet());
            assertThat(description.byAddress().keySet()).isEqualTo(addresses);
            servers.forEach((address, server) -> checkServer(new ServerAddress(address), server.asDocument()));
        }

        private void checkServer(ServerAddress address, BsonDocument expected) {
            ServerDescription server = description.server(address);
            assertThat(server).isNotNull();
            if (server == null) {
                return;
            }
            var id = server.electionId();
            var version = server.topologyVersion();
            Map<String, BsonValue> actual = Map.of(
                    "type",
                    new BsonString(server.type().label()),
                    "setName",
                    string(server.setName()),
                    "setVersion",
                    number(server.setVersion()),
                    "electionId",
                    id == null ? BsonNull.VALUE : new BsonObjectId(id),
                    "topologyVersion",
                    version == null ? BsonNull.VALUE : version.toDocument(),
                    "logicalSessionTimeoutMinutes",
                    number(server.logicalSessionTimeoutMinutes()),
                    "minWireVersion",
                    new BsonInt32(server.minWireVersion()),
                    "maxWireVersion",
                    new BsonInt32(server.maxWireVersion()),
                    "pool",
                    new BsonDocument("generation", new BsonInt32(generations.getOrDefault(address, 0))));
            expected.forEach((name, value) -> {
                if (name.equals("error")) {
                    assertThat(String.valueOf(server.error()))
                            .contains(value.asString().getValue());
                } else if (value.isNull() && server.type() == ServerType.LOAD_BALANCER) {
                    // Nobody asks a load balancer which versions it speaks.
                    assertThat(server.isCompatible()).isTrue();
                } else if (!name.equals("type") || !value.asString().getValue().equals("PossiblePrimary")) {
                    // Whether a driver tells a possible primary from an unknown server is its own affair.
                    BsonValue found = actual.get(name);
                    BsonValue type = new BsonString("PossiblePrimary");
                    assertThat(type.equals(found) ? new BsonString("Unknown") : found)
                            .as("%s.%s", address, name)
                            .isEqualTo(value);
                }
            });
        }

        private static BsonValue string(@Nullable String text) {
            return text == null ? BsonNull.VALUE : new BsonString(text);
        }

        private static BsonValue number(@Nullable Integer number) {
            return number == null ? BsonNull.VALUE : new BsonInt32(number);
        }
    }
}
