package dev.semel.server;

import static dev.semel.server.WirePeer.command;
import static dev.semel.server.WirePeer.connect;
import static dev.semel.server.WirePeer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** How many connections there may be, and what is left of them when the server is closed. */
@Isolated("looks at the threads of the whole JVM")
class ConnectionsTest {
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    @Tag("slow")
    void fiveThousandIdleConnectionsAreServed() throws IOException {
        List<WirePeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 5000; i++) {
                peers.add(new WirePeer(server));
            }
            for (WirePeer each : peers) {
                assertThat(ok(each.run(command("ping")))).isEqualTo(Value.of(1.0));
            }
        } finally {
            for (WirePeer each : peers) {
                each.close();
            }
        }
    }

    @Test
    void tooManyConnectionsAreClosedAtOnce() throws IOException {
        try (Server small = Server.start(ServerOptions.memory().parameters(Map.of("maxIncomingConnections", "1")));
                Socket first = connect(small);
                Socket second = connect(small)) {
            assertThat(second.getInputStream().read()).isNegative();
            assertThat(first.isConnected()).isTrue();
        }
    }

    /** In a small heap there are fewer than the setting allows. */
    @Test
    void availableConnectionsAreThoseThatTheHeapAllows() throws Exception {
        try (Server many =
                        Server.start(ServerOptions.memory().parameters(Map.of("maxIncomingConnections", "1000000")));
                WirePeer peer = new WirePeer(many)) {
            RawDocument status = peer.run(command("serverStatus"));
            assertThat(status.get("connections")).isInstanceOfSatisfying(Value.Doc.class, figures -> {
                assertThat(figures.document().get("current")).isEqualTo(Value.of(1));
                assertThat(figures.document().get("available"))
                        .isEqualTo(Value.of(Runtime.getRuntime().maxMemory() / (128 << 10) - 1));
            });
        }
    }

    @Test
    void aClosedServerLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Server another = Server.start(ServerOptions.memory());
        try (WirePeer idle = new WirePeer(another);
                LocalConnection local = another.connect()) {
            assertThat(ok(idle.run(command("ping")))).isEqualTo(Value.of(1.0));
            assertThat(ok(local.run(command("ping").finish()))).isEqualTo(Value.of(1.0));
            another.close();
            assertThat(idle.isClosed()).isTrue();
        }
        Set<String> left = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> !before.contains(each) && each.isAlive())
                .map(Thread::getName)
                .filter(each -> !each.startsWith("ForkJoinPool") && !each.startsWith("VirtualThread"))
                .filter(each -> !each.equals("Read-Poller") && !each.equals("Write-Poller"))
                .collect(Collectors.toSet());
        assertThat(left).isEmpty();
    }

    @Test
    void aCommandAfterTheEndIsRefused() throws IOException {
        Server another = Server.start(ServerOptions.memory());
        LocalConnection local = another.connect();
        another.close();
        assertThat(local.run(command("ping").finish()).get("code")).isEqualTo(Value.of(11600));
    }
}
