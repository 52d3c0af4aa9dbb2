package dev.semel.blackpipe.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The port of the proxy that leads to one server, and whether that one simulates a step-down. */
final class Door {
    private final String target;
    private final ServerSocket listening;
    private final Period deposed;

    Door(String target, int port, Time time) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(port, 200, InetAddress.getLoopbackAddress());
        this.deposed = new Period(time);
    }

    /** What is done with a client that has connected. */
    interface Entrance {
        void enter(Door door, Socket client) throws IOException;
    }

    /** As {@code host:port}. */
    String target() {
        return target;
    }

    String address() {
        return listening.getInetAddress().getHostAddress() + ":" + listening.getLocalPort();
    }

    void accept(Entrance entrance) {
        while (!listening.isClosed()) {
            try {
                entrance.enter(this, listening.accept());
            } catch (IOException e) {
                // Closed, or a client that left before it was let in.
            }
        }
    }

    void depose(long ms) {
        deposed.begin(ms);
    }

    boolean isDeposed() {
        return deposed.isOn();
    }

    void close() throws IOException {
        listening.close();
    }
}
