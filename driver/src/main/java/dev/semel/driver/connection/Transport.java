package dev.semel.driver.connection;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ProxySettings;
import dev.semel.driver.setting.ServerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Opens sockets, encrypted or not. */
final class Transport {
    private static final Duration LEAVING_MAX = Duration.ofSeconds(1);

    private final ConnectionSettings settings;

    Transport(ConnectionSettings settings) {
        this.settings = settings;
    }

    /** The caller closes the sockets that {@code opened} gets, also if this fails half-way. The last of them is used. */
    void open(ServerAddress address, Deadline deadline, Consumer<Socket> opened) throws IOException {
        if (address.isUnixSocket()) {
            throw new MongoConfigurationException("Unix domain sockets are not supported: " + address);
        }
        ProxySettings proxy = settings.proxy();
        Socket socket = proxy == null
                ? connect(address.host(), address.port(), deadline, opened)
                : connect(proxy.host(), proxy.port(), deadline, opened);
        if (proxy != null) {
            Socks5.connect(socket, proxy, address.host(), address.port());
        }
        if (settings.tls().enabled()) {
            SSLSocket encrypted = Tls.over(socket, address, settings.tls());
            opened.accept(encrypted);
            encrypted.startHandshake();
        }
    }

    private static Socket connect(String host, int port, Deadline deadline, Consumer<Socket> opened)
            throws IOException {
        IOException first = null;
        for (InetAddress each : addresses(host, deadline)) {
            var socket = new TimedSocket();
            socket.limit(deadline, null);
            opened.accept(socket);
            try {
                socket.setTcpNoDelay(true);
                socket.setKeepAlive(true);
                socket.connect(new InetSocketAddress(each, port), socket.remainingMs());
                return socket;
            } catch (IOException e) {
                socket.close();
                first = first == null ? e : first;
            }
        }
        throw first == null ? new IOException("no address for " + host) : first;
    }

    private static InetAddress[] addresses(String host, Deadline deadline) throws IOException {
        long ms = deadline.isSet() ? deadline.remainingMs() : 0;
        if (deadline.isSet() && ms <= 0) {
            throw new SocketTimeoutException("no time left");
        }
        try {
            return LookUp.addresses(host, Duration.ofMillis(ms));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Ends the use of a socket. TLS sends a closing message, which can wait for a server that does not read, and for a
     * write under way: a separate thread does that, for a short time only.
     */
    static void close(@Nullable Socket socket, @Nullable Socket below) {
        if (!(socket instanceof SSLSocket encrypted)) {
            closeQuietly(socket);
            return;
        }
        Thread.ofVirtual().name("semel-close").start(() -> {
            Thread leaving = Thread.ofVirtual().start(() -> closeQuietly(encrypted));
            try {
                leaving.join(LEAVING_MAX);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            closeQuietly(below);
        });
    }

    static void closeQuietly(@Nullable Socket socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is no longer used, so what could not be flushed does not matter.
            }
        }
    }
}
