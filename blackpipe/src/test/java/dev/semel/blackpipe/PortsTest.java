package dev.semel.blackpipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.blackpipe.script.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** A test that plays the restart of a server needs its port again. */
class PortsTest {
    /** Half of all sockets that are closed while a thread waits for connections keep their port for a moment. */
    private static final int ROUNDS = 100;

    @Test
    void closedScriptedServerLeavesItsPortToAnother() throws IOException {
        int port = freePort();
        for (int i = 0; i < ROUNDS; i++) {
            try (var server = ScriptedServer.start(port)) {
                assertThat(server.address()).isEqualTo("127.0.0.1:" + port);
                connect(port);
            }
        }
    }

    @Test
    void closedProxyLeavesItsPortToAnother() throws IOException {
        try (var target = ScriptedServer.start()) {
            for (int i = 0; i < ROUNDS; i++) {
                int port;
                try (var proxy = Proxy.start(target.uri(), Plan.of())) {
                    port = portOf(proxy.uri());
                    connect(port);
                }
                listen(port);
            }
        }
    }

    private static int portOf(String uri) {
        String address = uri.substring("mongodb://".length(), uri.indexOf("/?"));
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void listen(int port) throws IOException {
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }

    private static void connect(int port) throws IOException {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
    }
}
