package dev.semel.replication.ratis;

import dev.semel.replication.MutualTls;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Reports the members whose certificates are refused; refused callers are reported by {@link Port}. */
final class ReportedTrust extends X509ExtendedTrustManager {
    private final MutualTls tls;

    ReportedTrust(MutualTls tls) {
        this.tls = tls;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        try {
            tls.others().checkServerTrusted(chain, type, engine);
        } catch (CertificateException e) {
            tls.refused()
                    .accept("Not connected to member %s:%d, whose certificate is refused: %s"
                            .formatted(engine.getPeerHost(), engine.getPeerPort(), e.getMessage()));
            throw e;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        tls.others().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        tls.others().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        tls.others().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        tls.others().checkClientTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        tls.others().checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return tls.others().getAcceptedIssuers();
    }
}
