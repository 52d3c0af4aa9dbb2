package dev.semel.wire.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** TLS for a client's connections: trusted certificates, the client's certificate, and host name verification. */
public final class ClientTls {
    private final SSLContext context;
    private final boolean checksHostnames;

    private ClientTls(SSLContext context, boolean checksHostnames) {
        this.context = context;
        this.checksHostnames = checksHostnames;
    }

    /** With a context of the caller's own. */
    public static ClientTls of(SSLContext context, boolean checksHostnames) {
        return new ClientTls(context, checksHostnames);
    }

    /**
     * With files in PEM form; an {@link IOException} says what is wrong with them.
     *
     * @param keyFile our certificate and its key; null to have none
     * @param password of the key, null if it is not encrypted
     * @param caFile certificates to trust; null for Java's default trust store
     * @param trustsEverybody whether to accept any certificate
     */
    public static SSLContext context(
            @Nullable Path keyFile, @Nullable String password, @Nullable Path caFile, boolean trustsEverybody)
            throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keyFile == null ? null : PemFile.read(keyFile).keyManagers(password),
                    trust(caFile, trustsEverybody),
                    new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trust(@Nullable Path caFile, boolean everybody) throws IOException {
        if (everybody) {
            return new TrustManager[] {new TrustEveryone()};
        }
        return caFile == null ? null : PemFile.read(caFile).trustManagers();
    }

    /** The handshake begins with the first byte. */
    public SSLSocket over(Socket socket, String host, int port) throws IOException {
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
        SSLParameters parameters = encrypted.getSSLParameters();
        if (checksHostnames) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (host.chars().anyMatch(Character::isLetter) && !host.contains(":")) {
            parameters.setServerNames(List.of(new SNIHostName(host)));
        }
        encrypted.setSSLParameters(parameters);
        return encrypted;
    }

    /** Accepts every certificate, for applications that have asked for it. */
    private static final class TrustEveryone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
