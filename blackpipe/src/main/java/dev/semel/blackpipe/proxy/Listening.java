package dev.semel.blackpipe.proxy;

import dev.semel.wire.tls.PemFile;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * How clients reach a proxy.
 *
 * @param port of the first server; 0 for a free one
 * @param context with which they have to encrypt; null if they do not
 */
public record Listening(int port, @Nullable SSLContext context) {
    /** Without encryption. */
    public static Listening on(int port) {
        return new Listening(port, null);
    }

    /** Encrypted, with the certificate and key of a file in PEM form; the password is null if the key is not encrypted. */
    public static Listening encrypted(int port, Path keyFile, @Nullable String password) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(PemFile.read(keyFile).keyManagers(password), null, new SecureRandom());
            return new Listening(port, context);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    boolean isEncrypted() {
        return context != null;
    }

    /** What the client says, decrypted; the handshake happens with the first byte. */
    Socket opened(Socket accepted) throws IOException {
        if (context == null) {
            return accepted;
        }
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(accepted, null, true);
        encrypted.setUseClientMode(false);
        return encrypted;
    }
}
