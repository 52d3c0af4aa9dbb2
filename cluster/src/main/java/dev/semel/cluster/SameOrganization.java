package dev.semel.cluster;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trusts certificates of an authority that are of the same organization as this member. */
final class SameOrganization extends X509ExtendedTrustManager {
    private final Organization own;
    private final X509ExtendedTrustManager signed;

    SameOrganization(Organization own, X509ExtendedTrustManager signed) {
        this.own = own;
        this.signed = signed;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        Organization other = Organization.of(chain[0]);
        if (!other.equals(own)) {
            throw new CertificateException(
                    "it is no member's: it names %s, and this member's %s".formatted(other, own));
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        signed.checkClientTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        signed.checkServerTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        signed.checkClientTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        signed.checkServerTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        signed.checkClientTrusted(chain, type);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        signed.checkServerTrusted(chain, type);
        check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return signed.getAcceptedIssuers();
    }
}
