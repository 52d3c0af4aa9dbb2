package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.setting.ServerAddress;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All connections go through the proxy that the settings name; a client that ignored it would go round it. */
class SocksProxyTest {
    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        server = TestServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String uri(SocksProxy proxy) {
        // Only the proxy knows who that is.
        return "mongodb://server.invalid:" + server.address().port() + "/?directConnection=true&proxyHost=127.0.0.1"
                + "&proxyPort=" + proxy.port() + "&serverSelectionTimeoutMS=3000";
    }

    private static void works(MongoClient client) {
        var collection = client.getDatabase("db").getCollection("c");
        collection.insertOne(new Document("x", 1));
        assertThat(collection.find(new Document("x", 1)).first()).isNotNull();
    }

    @Test
    void allConnectionsGoThroughIt() throws IOException {
        try (var proxy = new SocksProxy(null);
                MongoClient client = MongoClients.create(uri(proxy))) {
            works(client);
            assertThat(Set.copyOf(proxy.asked())).containsExactly("server.invalid");
        }
    }

    @Test
    void itGetsUserAndPassword() throws IOException {
        try (var proxy = new SocksProxy("ann:s:cret");
                MongoClient client = MongoClients.create(uri(proxy) + "&proxyUsername=ann&proxyPassword=s%3Acret")) {
            works(client);
        }
    }

    @Test
    void whatItRefusesIsInTheException() throws IOException {
        try (var proxy = new SocksProxy("ann:secret");
                MongoClient client = MongoClients.create(
                        uri(proxy).replace("=3000", "=300") + "&proxyUsername=ann&proxyPassword=wrong")) {
            assertThatThrownBy(() -> works(client))
                    .isInstanceOf(MongoTimeoutException.class)
                    .hasMessageContaining("The SOCKS proxy refuses the user name and password");
        }
    }

    @Test
    void settingsNameItToo() throws IOException {
        try (var proxy = new SocksProxy("ann:secret");
                MongoClient client = MongoClients.create(MongoClientSettings.builder()
                        .applyToClusterSettings(cluster -> cluster.hosts(List.of(new ServerAddress(
                                        "server.invalid", server.address().port())))
                                .directConnection(true))
                        .applyToSocketSettings(
                                sockets -> sockets.applyToProxySettings(settings -> settings.host("127.0.0.1")
                                        .port(proxy.port())
                                        .username("ann")
                                        .password("secret")))
                        .build())) {
            works(client);
        }
    }
}
