package dev.semel.cli;

import dev.semel.cluster.MemberSecurity;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How members authenticate each other: with any of these options they do, or there is no server. */
final class MemberSecurityOptions {
    private static final List<StartOption> OF_CERTIFICATES =
            List.of(StartOption.TLS_CLUSTER_PASSWORD, StartOption.TLS_CLUSTER_CA_FILE);

    private final StartOptions asked;

    private MemberSecurityOptions(StartOptions asked) {
        this.asked = asked;
    }

    /** Null without, or if it cannot be set up, which has been reported as a problem then. */
    static @Nullable MemberSecurity read(StartOptions asked) {
        return new MemberSecurityOptions(asked).read();
    }

    private @Nullable MemberSecurity read() {
        var mode = asked.text(StartOption.CLUSTER_AUTH_MODE);
        boolean hasKey = asked.given(StartOption.KEY_FILE).isPresent();
        boolean hasCertificate = asked.given(StartOption.TLS_CLUSTER_FILE).isPresent();
        if (!hasCertificate) {
            OF_CERTIFICATES.stream()
                    .filter(each -> asked.given(each).isPresent())
                    .forEach(
                            each -> asked.problem(asked.source(each) + " needs --tlsClusterFile, net.tls.clusterFile"));
        }
        if (mode.equals("keyFile") && !hasKey) {
            asked.problem(asked.source(StartOption.CLUSTER_AUTH_MODE) + " keyFile needs --keyFile, security.keyFile");
            return null;
        }
        if (mode.equals("x509") && !hasCertificate) {
            asked.problem(
                    asked.source(StartOption.CLUSTER_AUTH_MODE) + " x509 needs --tlsClusterFile, net.tls.clusterFile");
            return null;
        }
        if (mode.isEmpty() && hasKey && hasCertificate) {
            asked.problem("members authenticate each other either by --keyFile or by --tlsClusterFile:"
                    + " say which by --clusterAuthMode keyFile or x509");
            return null;
        }
        try {
            return mode.equals("x509") || !hasKey ? ofCertificates() : ofKey();
        } catch (IOException e) {
            asked.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private @Nullable MemberSecurity ofKey() throws IOException {
        return MemberSecurity.keyFile(asked.path(StartOption.KEY_FILE).orElseThrow());
    }

    private @Nullable MemberSecurity ofCertificates() throws IOException {
        var certificate = asked.path(StartOption.TLS_CLUSTER_FILE);
        if (certificate.isEmpty()) {
            return null;
        }
        var authorities = asked.path(StartOption.TLS_CLUSTER_CA_FILE).or(() -> asked.path(StartOption.TLS_CA_FILE));
        if (authorities.isEmpty()) {
            asked.problem(asked.source(StartOption.TLS_CLUSTER_FILE)
                    + " needs the CA certificates for the certificates of members: --tlsClusterCAFile,"
                    + " net.tls.clusterCAFile");
            return null;
        }
        return MemberSecurity.certificates(
                certificate.get(), asked.given(StartOption.TLS_CLUSTER_PASSWORD).orElse(null), authorities.get());
    }
}
