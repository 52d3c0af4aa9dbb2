package dev.semel.blackpipe.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The port of the proxy that leads to one server, and whether that one simulates a step-down. */
final class Endpoint {
    private static final int BACKLOG = 200;
    private static final int RESERVE_ATTEMPTS_MAX = 2_000;
    private static final long RESERVE_PAUSE_NANOS = 1_000_000;

    private final String target;
    private final InetSocketAddress address;
    private final Period steppedDown;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Null while connections are refused. */
    private @Nullable ServerSocket listening;

    /** Bound to the port, but not listening: connections are refused, and no other program gets the port meanwhile. */
    private @Nullable Socket reservation;

    private boolean closed;

    Endpoint(String target, int port, Time time) throws IOException {
        ServerSocket socket = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        this.target = target;
        this.address = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        this.listening = socket;
        this.steppedDown = new Period(time);
    }

    /** What is done with a client that has connected. */
    interface Entrance {
        void enter(Endpoint endpoint, Socket client) throws IOException;
    }

    /** As {@code host:port}. */
    String target() {
        return target;
    }

    String address() {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Returns when the endpoint is closed for good. */
    void accept(Entrance entrance) {
        for (ServerSocket open = awaitOpen(); open != null; open = awaitOpen()) {
            try {
                entrance.enter(this, open.accept());
            } catch (IOException e) {
                // Shut, or a client that left before it was let in.
            }
        }
    }

    private @Nullable ServerSocket awaitOpen() {
        lock.lock();
        try {
            while (listening == null && !closed) {
                changed.awaitUninterruptibly();
            }
            return closed ? null : listening;
        } finally {
            lock.unlock();
        }
    }

    /** From now on connections are refused. */
    void shut() throws IOException {
        lock.lock();
        try {
            if (listening != null) {
                listening.close();
                listening = null;
                reservation = reserve();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The closed socket keeps its port until the thread that waits for clients has noticed, which takes a moment. */
    private Socket reserve() throws IOException {
        for (int attempt = 1; ; attempt++) {
            Socket reserved = new Socket();
            try {
                reserved.setReuseAddress(true);
                reserved.bind(address);
                // Only lets us bind while earlier connections still use the port; no other program can bind to it.
                reserved.setReuseAddress(false);
                return reserved;
            } catch (IOException e) {
                reserved.close();
                if (attempt == RESERVE_ATTEMPTS_MAX) {
                    throw e;
                }
                LockSupport.parkNanos(RESERVE_PAUSE_NANOS);
            }
        }
    }

    /** Connections are accepted again. */
    void open() throws IOException {
        lock.lock();
        try {
            if (listening != null || closed) {
                return;
            }
            endReservation();
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
            listening = socket;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void stepDown(long ms) {
        steppedDown.begin(ms);
    }

    boolean isSteppedDown() {
        return steppedDown.isOn();
    }

    /** Another program can have the port afterwards. */
    void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            shut();
            endReservation();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void endReservation() throws IOException {
        if (reservation != null) {
            reservation.close();
            reservation = null;
        }
    }
}
