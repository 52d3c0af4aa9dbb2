package dev.semel.blackpipe.proxy;

import dev.semel.wire.tls.PemFile;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * How clients connect to a proxy.
 *
 * @param port of the first server; 0 for a free one
 * @param context for TLS, which clients must use; null without TLS
 * @param untrusted the same with a certificate that no client should accept, for a fault; null without TLS
 */
public record Listening(
        int port, @Nullable SSLContext context, @Nullable SSLContext untrusted) {
    /** The alert of TLS 1.2 and 1.3 by which a server refuses a handshake. */
    private static final byte[] HANDSHAKE_FAILURE = {21, 3, 3, 0, 2, 2, 40};

    private static final int FIRST_MESSAGE_BYTES_MAX = 16 * 1024;
    private static final int FIRST_MESSAGE_TIMEOUT_MS = 5_000;

    /** Without TLS. */
    public static Listening on(int port) {
        return new Listening(port, null, null);
    }

    /** With TLS, with the certificate and key of a PEM file; the password is null if the key is not encrypted. */
    public static Listening encrypted(int port, Path keyFile, @Nullable String password) throws IOException {
        try {
            return new Listening(
                    port,
                    context(PemFile.read(keyFile).keyManagers(password)),
                    context(UntrustedCertificate.keyManagers()));
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static SSLContext context(KeyManager[] keys) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, null, new SecureRandom());
        return context;
    }

    boolean isEncrypted() {
        return context != null;
    }

    /** The decrypted connection; the handshake happens with the first byte. */
    Socket opened(Socket accepted) throws IOException {
        return decrypted(accepted, context);
    }

    /** The same, with the untrusted certificate, which clients that verify it refuse. */
    Socket openedUntrusted(Socket accepted) throws IOException {
        return decrypted(accepted, untrusted);
    }

    private static Socket decrypted(Socket accepted, @Nullable SSLContext context) throws IOException {
        if (context == null) {
            return accepted;
        }
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(accepted, null, true);
        encrypted.setUseClientMode(false);
        return encrypted;
    }

    /** Refuses the handshake, once the client has begun it. */
    static void failHandshake(Socket accepted) throws IOException {
        accepted.setSoTimeout(FIRST_MESSAGE_TIMEOUT_MS);
        // What is not read would turn the end of the connection into a reset, which overtakes the alert.
        if (accepted.getInputStream().read(new byte[FIRST_MESSAGE_BYTES_MAX]) > 0) {
            accepted.getOutputStream().write(HANDSHAKE_FAILURE);
        }
    }
}
