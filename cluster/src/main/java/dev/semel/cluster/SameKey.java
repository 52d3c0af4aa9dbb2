package dev.semel.cluster;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts certificates that were made with the same key file; host names do not matter then. */
final class SameKey extends X509ExtendedTrustManager {
    private final KeyFile secret;

    SameKey(KeyFile secret) {
        this.secret = secret;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        X509Certificate other = chain[0];
        String expected = SelfSigned.NAME + secret.code(other.getPublicKey());
        if (!MessageDigest.isEqual(
                bytes(expected), bytes(other.getSubjectX500Principal().getName()))) {
            throw new CertificateException(
                    "it was not made with this member's key file: all members of a set need the same one");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
