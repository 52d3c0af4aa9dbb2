package dev.semel.server.tls;

import dev.semel.wire.tls.PemFile;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.SecureRandom;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * TLS for connections: whether clients may or must use it, the server's certificate, and which clients must present
 * one.
 */
public final class Tls {
    /** A record of a handshake, in any version of TLS. */
    private static final int HANDSHAKE_RECORD = 0x16;

    private static final int MAJOR_VERSION = 0x03;
    private static final int MARK_BYTES = 3;

    private final Mode mode;
    private final SSLContext context;
    private final SSLContext asClient;
    private final Asking asking;
    private final CertificateNames names;

    /** The TLS modes, with MongoDB's names. */
    public enum Mode {
        allowTLS,
        /** The same for clients; the difference is in the connections between members. */
        preferTLS,
        requireTLS
    }

    private enum Asking {
        NOBODY,
        WHO_HAS_ONE,
        EVERYBODY
    }

    /** A connection after the TLS handshake, or after its first bytes without TLS. */
    public record Opened(
            Socket socket, InputStream in, @Nullable String subject) {}

    /** One side uses TLS and the other does not; the message is for the log. */
    public static final class Mismatch extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        Mismatch(String message) {
            super(message);
        }
    }

    private Tls(Mode mode, SSLContext context, SSLContext asClient, Asking asking, CertificateNames names) {
        this.mode = mode;
        this.context = context;
        this.asClient = asClient;
        this.asking = asking;
        this.names = names;
    }

    /**
     * Reads files in PEM format; an {@link IOException} says what is wrong with them.
     *
     * @param keyFile our certificate and its key
     * @param password of the key, null if it is not encrypted
     * @param caFile clients must present a certificate signed by one of these; null to request none
     * @param alsoWithout whether clients without a certificate are accepted too
     */
    public static Tls of(Mode mode, Path keyFile, @Nullable String password, @Nullable Path caFile, boolean alsoWithout)
            throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            PemFile own = PemFile.read(keyFile);
            context.init(
                    own.keyManagers(password),
                    caFile == null ? null : PemFile.read(caFile).trustManagers(),
                    new SecureRandom());
            SSLContext asClient = SSLContext.getInstance("TLS");
            asClient.init(
                    own.keyManagers(password),
                    caFile == null
                            ? new TrustManager[] {new AnyCertificate()}
                            : PemFile.read(caFile).trustManagers(),
                    new SecureRandom());
            Asking asking = caFile == null ? Asking.NOBODY : alsoWithout ? Asking.WHO_HAS_ONE : Asking.EVERYBODY;
            return new Tls(mode, context, asClient, asking, CertificateNames.of(own.certificate()));
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    public Mode mode() {
        return mode;
    }

    /** The hosts for which clients will accept the certificate. */
    public CertificateNames names() {
        return names;
    }

    /**
     * To the same port of another server, with this server's certificate. Without authorities of its own it accepts any
     * certificate there, so what the other one says is not worth more than without TLS.
     */
    public SSLSocket connect(Socket socket, String host, int port) throws IOException {
        return (SSLSocket) asClient.getSocketFactory().createSocket(socket, host, port, true);
    }

    /** Detects by the client's first bytes whether it uses TLS. The socket's timeout limits the wait. */
    public Opened open(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] mark = in.readNBytes(MARK_BYTES);
        if (isHandshake(mark)) {
            return encrypted(socket, mark);
        }
        if (mark.length < MARK_BYTES) {
            throw new EOFException("the client has gone before it said anything");
        }
        if (mode == Mode.requireTLS) {
            throw new Mismatch("Closing a connection that is not encrypted, because this server requires TLS");
        }
        return new Opened(socket, new Begun(mark, in), null);
    }

    /** Without TLS; a client that uses TLS is detected, because it would wait for a reply for ever. */
    public static Opened unencrypted(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] mark = in.readNBytes(MARK_BYTES);
        if (isHandshake(mark)) {
            throw new Mismatch("Closing a connection that wants TLS, because this server was started without it");
        }
        return new Opened(socket, new Begun(mark, in), null);
    }

    /** A message begins with its length, which would be more than a first message can have. */
    private static boolean isHandshake(byte[] mark) {
        return mark.length == MARK_BYTES && mark[0] == HANDSHAKE_RECORD && mark[1] == MAJOR_VERSION && mark[2] != 0;
    }

    private Opened encrypted(Socket socket, byte[] consumed) throws IOException {
        SSLSocket encrypted =
                (SSLSocket) context.getSocketFactory().createSocket(socket, new ByteArrayInputStream(consumed), true);
        switch (asking) {
            case NOBODY -> {}
            case WHO_HAS_ONE -> encrypted.setWantClientAuth(true);
            case EVERYBODY -> encrypted.setNeedClientAuth(true);
        }
        encrypted.startHandshake();
        return new Opened(encrypted, encrypted.getInputStream(), subject(encrypted));
    }

    /** The name in the client's certificate, as MongoDB writes it. */
    private @Nullable String subject(SSLSocket encrypted) {
        if (asking == Asking.NOBODY) {
            return null;
        }
        try {
            Principal subject = encrypted.getSession().getPeerPrincipal();
            return subject instanceof X500Principal name ? name.getName(X500Principal.RFC2253) : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }

    /** A stream of which the first bytes have been read already. */
    private static final class Begun extends InputStream {
        private final byte[] mark;
        private final InputStream rest;
        private int at;

        Begun(byte[] mark, InputStream rest) {
            this.mark = mark;
            this.rest = rest;
        }

        @Override
        public int read() throws IOException {
            return at < mark.length ? mark[at++] & 0xFF : rest.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (at == mark.length) {
                return rest.read(into, offset, length);
            }
            int count = Math.min(length, mark.length - at);
            System.arraycopy(mark, at, into, offset, count);
            at += count;
            return count;
        }
    }
}
