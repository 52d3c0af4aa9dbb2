package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.description.TopologyType;
import dev.semel.driver.dns.DnsException;
import dev.semel.driver.dns.DnsWithResponseCodeException;
import dev.semel.driver.dns.SeedList;
import dev.semel.driver.dns.SeedListPolling;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.ServerAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A seed list behind one name. The names are such that a record may point at this machine: {@code 127.0.0.1} is in the domain
 * {@code 0.0.1} of {@code x.0.0.1}.
 */
class SrvTest {
    private static final String HOST = "x.0.0.1";
    private static final String SERVICE = "_mongodb._tcp." + HOST;
    private static final Duration SELDOM = Duration.ofHours(1);
    private static final Duration OFTEN = Duration.ofMillis(5);

    private final Map<String, List<String>> records = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** Thrown in the place of an answer; null: that there is no such name. */
    private volatile @Nullable DnsException failure;

    private void srv(ServerAddress... to) {
        records.put(
                SERVICE + " SRV",
                Arrays.stream(to)
                        .map(each -> "0 5 " + each.port() + " " + each.host() + ".")
                        .toList());
    }

    private void txt(String... texts) {
        records.put(HOST + " TXT", List.of(texts));
    }

    private MongoClientSettings.Builder settings(String uri) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToServerSettings(servers -> servers.heartbeatFrequency(Duration.ofMillis(20)))
                .dnsClient((name, type) -> {
                    asked.add(name + " " + type);
                    List<String> found = records.get(name + " " + type);
                    if (found == null) {
                        throw failure == null
                                ? new DnsWithResponseCodeException("no such name " + name, 3, null)
                                : failure;
                    }
                    return found;
                });
    }

    private static String uri(String options) {
        return "mongodb+srv://" + HOST + "/?tls=false&serverMonitoringMode=poll" + options;
    }

    private MongoClient open(String options, Duration interval) {
        return LiveClient.open(settings(uri(options)).build(), null, interval);
    }

    private static Set<ServerAddress> seeds(MongoClient client) {
        return client.getClusterDescription().byAddress().keySet();
    }

    private static ServerAddress nobody(int number) {
        return new ServerAddress("127.0.0.1", number);
    }

    @Test
    void seedsAreThoseOfTheRecord() throws IOException {
        try (var router = RecordingServer.router()) {
            srv(router.address());
            router.answer((command, count) -> "{ok: 1, n: 1}");
            try (var client = open("", SELDOM)) {
                client.getDatabase("db").getCollection("c").insertOne(new Document("_id", 1));
                assertThat(seeds(client)).containsExactly(router.address());
            }
            assertThat(asked).containsExactlyInAnyOrder(SERVICE + " SRV", HOST + " TXT");
        }
    }

    @Test
    void serviceMayHaveAnotherName() {
        records.put("_shop._tcp." + HOST + " SRV", List.of("0 0 1 127.0.0.1."));
        try (var client = open("&srvServiceName=shop", SELDOM)) {
            assertThat(seeds(client)).containsExactly(nobody(1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a.b.example.com, other.example.com.",
        "a.b.example.com, xb.example.com.",
        "a.b.example.com, b.example.com.",
        "example.com, example.com.",
        "example.com, a.example.org.",
        "localhost, localhost.",
    })
    void recordThatLeavesTheDomainIsRefused(String host, String target) {
        records.put("_mongodb._tcp." + host + " SRV", List.of("0 0 27017 " + target));
        var settings = settings("mongodb+srv://" + host).build();
        assertThatThrownBy(() -> LiveClient.open(settings, null, SELDOM))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessageContaining("is not in the domain");
    }

    @ParameterizedTest
    @CsvSource({"example.com, a.example.com.", "localhost, a.localhost.", "A.b.Example.com, Z.y.B.example.COM."})
    void recordInTheDomainIsTaken(String host, String target) {
        records.put("_mongodb._tcp." + host.toLowerCase(Locale.ROOT) + " SRV", List.of("0 0 27018 " + target));
        var builder = settings("mongodb+srv://" + host);
        assertThat(resolved(builder).getClusterSettings().hosts())
                .containsExactly(new ServerAddress(
                        target.substring(0, target.length() - 1).toLowerCase(Locale.ROOT), 27018));
    }

    private static MongoClientSettings resolved(MongoClientSettings.Builder builder) {
        var settings = builder.build();
        return SrvSettings.resolve(settings, seedList(settings));
    }

    private static SeedList seedList(MongoClientSettings settings) {
        return new SeedList(
                settings.getDnsClient(),
                String.valueOf(settings.getClusterSettings().srvHost()),
                settings.getClusterSettings().srvServiceName(),
                settings.getClusterSettings().srvMaxHosts(),
                new Random(1));
    }

    @Test
    void nameWithoutRecordsIsRefused() {
        assertThatThrownBy(() -> open("", SELDOM))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessage("Unable to look up the SRV record " + SERVICE);
        srv();
        assertThatThrownBy(() -> open("", SELDOM))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessage("No SRV records for " + SERVICE);
    }

    @Test
    void textRecordGivesTheOptionsThatTheStringDoesNotName() {
        srv(nobody(1));
        txt("\"replicaSet=ours&\" \"authSource=people\"");
        var both = resolved(settings("mongodb+srv://ann:word@" + HOST + "/db"));
        assertThat(both.getClusterSettings().requiredReplicaSetName()).isEqualTo("ours");
        assertThat(both.getCredential()).isEqualTo(MongoCredential.createCredential("ann", "people", "word"));

        var own = resolved(settings("mongodb+srv://ann:word@" + HOST + "/db?replicaSet=mine&authSource=staff"));
        assertThat(own.getClusterSettings().requiredReplicaSetName()).isEqualTo("mine");
        assertThat(own.getCredential()).isEqualTo(MongoCredential.createCredential("ann", "staff", "word"));
    }

    @Test
    void textRecordMayTellOfLoadBalancer() {
        srv(nobody(1));
        txt("loadBalanced=true");
        try (var client = open("", OFTEN)) {
            assertThat(client.getClusterDescription().type()).isEqualTo(TopologyType.LOAD_BALANCED);
        }
        assertThat(resolved(settings(uri("&loadBalanced=false")))
                        .getClusterSettings()
                        .loadBalanced())
                .isFalse();
        srv(nobody(1), nobody(2));
        assertThatThrownBy(() -> open("", SELDOM))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessageEndingWith("loadBalanced=true needs exactly one host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls=false", "socketTimeoutMS=1", "nonsense=1", "replicaSet", "authSource="})
    void textRecordWithAnythingElseIsRefused(String text) {
        srv(nobody(1));
        txt(text);
        assertThatThrownBy(() -> open("", SELDOM)).isInstanceOf(MongoConfigurationException.class);
    }

    @Test
    void moreThanOneTextRecordIsRefused() {
        srv(nobody(1));
        txt("replicaSet=a", "authSource=b");
        assertThatThrownBy(() -> open("", SELDOM))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessage("There is more than one TXT record for " + HOST);
    }

    @Test
    void setNameInTextRecordContradictsLimitOfHosts() {
        srv(nobody(1));
        txt("replicaSet=rs");
        assertThatThrownBy(() -> open("&srvMaxHosts=1", SELDOM))
                .isInstanceOf(MongoConfigurationException.class)
                .hasMessageEndingWith("srvMaxHosts and replicaSet exclude each other");
    }

    @Test
    void noMoreHostsAreTakenThanWanted() {
        srv(nobody(1), nobody(2), nobody(3), nobody(4));
        var drawn = new HashSet<Set<ServerAddress>>();
        for (int i = 0; i < 50; i++) {
            try (var client = open("&srvMaxHosts=2", SELDOM)) {
                assertThat(seeds(client)).hasSize(2);
                drawn.add(Set.copyOf(seeds(client)));
            }
        }
        assertThat(drawn).as("by chance").hasSizeGreaterThan(1);
        assertThat(resolved(settings(uri("&srvMaxHosts=9")))
                        .getClusterSettings()
                        .hosts())
                .hasSize(4);
    }

    @Test
    void routersThatComeAndGoAreFollowed() throws IOException {
        var opened = new CopyOnWriteArrayList<ServerAddress>();
        var closed = new CopyOnWriteArrayList<ServerAddress>();
        try (var one = RecordingServer.router();
                var two = RecordingServer.router();
                var three = RecordingServer.router()) {
            srv(one.address(), two.address());
            var settings = settings(uri(""))
                    .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                        if (event instanceof ClusterEvent.ServerOpening opening) {
                            opened.add(opening.address());
                        } else if (event instanceof ClusterEvent.ServerClosed closing) {
                            closed.add(closing.address());
                        }
                    }))
                    .build();
            try (var client = LiveClient.open(settings, null, OFTEN)) {
                Await.until(() -> client.getClusterDescription().type() == TopologyType.SHARDED);

                srv(two.address(), three.address());
                Await.until(() -> opened.size() == 3);
                assertThat(seeds(client)).containsExactlyInAnyOrder(two.address(), three.address());
                assertThat(opened).containsExactly(one.address(), two.address(), three.address());
                assertThat(closed).containsExactly(one.address());

                // Nothing that could be used: what is known stays.
                records.put(SERVICE + " SRV", List.of());
                awaitRounds(3);
                records.put(SERVICE + " SRV", List.of("0 0 1 elsewhere.example.com."));
                awaitRounds(3);
                records.remove(SERVICE + " SRV");
                awaitRounds(3);
                assertThat(seeds(client)).containsExactlyInAnyOrder(two.address(), three.address());

                srv(one.address());
                Await.until(() -> seeds(client).equals(Set.of(one.address())));
            }
        }
    }

    /** Until it was asked that often again; after a failure the heartbeat is the interval, so these rounds take a while. */
    private void awaitRounds(int count) {
        int before = asked.size();
        Await.until(() -> asked.size() >= before + count);
    }

    @Test
    void onlyHostsThatAreGoneAreReplacedWhereTheirNumberIsLimited() throws IOException {
        try (var one = RecordingServer.router();
                var two = RecordingServer.router();
                var three = RecordingServer.router()) {
            srv(one.address(), two.address());
            try (var client = open("&srvMaxHosts=2", OFTEN)) {
                srv(one.address(), three.address(), two.address());
                awaitRounds(20);
                assertThat(seeds(client)).containsExactlyInAnyOrder(one.address(), two.address());

                srv(three.address(), two.address());
                Await.until(() -> seeds(client).equals(Set.of(two.address(), three.address())));
            }
        }
    }

    @Test
    void whoNeverChangesIsNotLookedUpAgain() throws InterruptedException {
        srv(nobody(1));
        var rounds = new AtomicInteger();
        var follower = new SeedListPolling.Follower() {
            @Override
            public boolean wantsSeeds() {
                return rounds.incrementAndGet() < 3;
            }

            @Override
            public Collection<ServerAddress> current() {
                return List.of();
            }

            @Override
            public void seeds(List<ServerAddress> now) {
                assertThat(now).containsExactly(nobody(1));
            }
        };
        try (var polling = new SeedListPolling(seedList(settings(uri("")).build()), follower, OFTEN, OFTEN)) {
            polling.start().join();
        }
        assertThat(asked).containsExactly(SERVICE + " SRV", SERVICE + " SRV");
    }

    /** Without the options of the record the client could look for its user in another database, or take another set for its own. */
    @Test
    void failureToLookUpTheOptionsIsNotTheirAbsence() {
        srv(new ServerAddress("a.example.com", 27017));
        for (DnsException each : List.of(
                new DnsException("nobody answers", null), new DnsWithResponseCodeException("server failed", 2, null))) {
            failure = each;
            assertThatThrownBy(() -> open("", Duration.ofMinutes(1)))
                    .isInstanceOf(MongoConfigurationException.class)
                    .hasMessageStartingWith("Unable to look up the TXT record")
                    .hasCause(each);
        }
    }
}
