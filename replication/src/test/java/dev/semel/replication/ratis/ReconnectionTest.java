package dev.semel.replication.ratis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that waits for the others. */
class ReconnectionTest {
    /** With pauses that become longer and longer, these would take two minutes. */
    private static final int MANY = 10;

    @TempDir
    Path folder;

    @Test
    void memberWithoutALeaderDoesNotConnectLessAndLessOften() throws Exception {
        try (var set = LocalSet.empty(folder)) {
            set.add("a");
            set.add("b");
            var connections = new AtomicInteger();
            Thread refusing;
            try (var socket = new ServerSocket(set.member("b").port(), 50, InetAddress.getLoopbackAddress())) {
                refusing = Thread.ofVirtual().start(() -> refuse(socket, connections));
                set.start("a", set.all());
                LocalSet.await(MANY + " connections", () -> connections.get() >= MANY);
            }
            // Until then the closed socket keeps its port.
            refusing.join();
            set.start("b", set.all());
            set.leader();
        }
    }

    private static void refuse(ServerSocket socket, AtomicInteger connections) {
        while (!socket.isClosed()) {
            try {
                socket.accept().close();
                connections.incrementAndGet();
            } catch (IOException e) {
                // The test goes on with a member in the place of this.
            }
        }
    }
}
