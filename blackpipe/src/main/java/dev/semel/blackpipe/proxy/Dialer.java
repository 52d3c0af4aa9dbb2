package dev.semel.blackpipe.proxy;

import dev.semel.wire.tls.ClientTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Connects to the servers of a connection string, with TLS if it says so. */
public final class Dialer {
    private final @Nullable ClientTls tls;

    private Dialer(@Nullable ClientTls tls) {
        this.tls = tls;
    }

    /** An {@link IOException} says what is wrong with a file that the connection string names. */
    public static Dialer of(TargetUri target) throws IOException {
        if (!target.isEncrypted()) {
            return new Dialer(null);
        }
        boolean insecure = target.isSet("tlsInsecure");
        boolean anyCertificate = insecure || target.isSet("tlsAllowInvalidCertificates");
        var context = ClientTls.context(
                path(target.option("tlsCertificateKeyFile")),
                target.option("tlsCertificateKeyFilePassword").orElse(null),
                path(target.option("tlsCAFile")),
                anyCertificate);
        return new Dialer(ClientTls.of(context, !anyCertificate && !target.isSet("tlsAllowInvalidHostnames")));
    }

    private static @Nullable Path path(Optional<String> file) {
        return file.map(Path::of).orElse(null);
    }

    /** A connection to one of the hosts, or to another of their set. */
    public Socket connect(String host) throws IOException {
        int colon = host.lastIndexOf(':');
        String name = host.substring(0, colon).replaceAll("[\\[\\]]", "");
        int port = Integer.parseInt(host.substring(colon + 1));
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(name, port), TargetUri.CONNECT_TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            return tls == null ? socket : encrypted(tls, socket, name, port);
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot reach " + host + ": " + e.getMessage(), e);
        }
    }

    /** Includes the TLS handshake, so that its failure is reported as such. */
    private static Socket encrypted(ClientTls tls, Socket socket, String host, int port) throws IOException {
        SSLSocket encrypted = tls.over(socket, host, port);
        socket.setSoTimeout(TargetUri.CONNECT_TIMEOUT_MS);
        encrypted.startHandshake();
        socket.setSoTimeout(0);
        return encrypted;
    }
}
