package dev.semel.cluster;

import dev.semel.wire.tls.PemFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How members of a set authenticate each other; their connections are encrypted in both cases.
 *
 * @param own proves what this member is
 * @param others accepts the other members, and nobody else
 */
public record MemberSecurity(X509ExtendedKeyManager own, X509ExtendedTrustManager others) {
    /** By a secret that all members have in a file: see {@link KeyFile}. */
    public static MemberSecurity keyFile(Path file) throws IOException {
        return KeyFile.read(file).security();
    }

    /**
     * By certificates of an authority. It may sign clients too: a member is who has the same organization, organizational
     * unit and domain components in its certificate as this one.
     *
     * @param certificate PEM, with the private key
     * @param password of the key; null if it is not encrypted
     * @param authorities PEM
     */
    public static MemberSecurity certificates(Path certificate, @Nullable String password, Path authorities)
            throws IOException {
        PemFile own = PemFile.read(certificate);
        X509ExtendedTrustManager signed =
                only(X509ExtendedTrustManager.class, PemFile.read(authorities).trustManagers());
        return new MemberSecurity(
                only(X509ExtendedKeyManager.class, own.keyManagers(password)),
                new SameOrganization(Organization.of(certificate, own.certificate()), signed));
    }

    /** For connections that the consensus engine does not make. */
    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(new KeyManager[] {own}, new TrustManager[] {others}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }

    private static <T> T only(Class<T> kind, Object[] managers) {
        return Arrays.stream(managers)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }
}
