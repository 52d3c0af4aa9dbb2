package dev.semel.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingPortTest {
    private static final int ROUNDS = 100;

    /** The member that the server becomes listens there. */
    @Test
    void portIsFreeOnceClosed() throws IOException {
        int port = freePort();
        for (int i = 0; i < ROUNDS; i++) {
            WaitingPort.open(List.of("127.0.0.1"), port, null, invitation -> {}, refused -> {})
                    .close();
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
