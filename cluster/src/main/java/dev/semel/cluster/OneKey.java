package dev.semel.cluster;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Presents the same certificate whenever one is asked for. */
final class OneKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "own";
    private static final String ALGORITHM = "EC";

    private final PrivateKey key;
    private final X509Certificate certificate;

    OneKey(PrivateKey key, X509Certificate certificate) {
        this.key = key;
        this.certificate = certificate;
    }

    private static String @Nullable [] aliases(@Nullable String algorithm) {
        return ALGORITHM.equals(algorithm) ? new String[] {ALIAS} : null;
    }

    private static @Nullable String alias(String... algorithms) {
        for (String each : algorithms) {
            if (each.startsWith(ALGORITHM)) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String algorithm, Principal @Nullable [] issuers) {
        return aliases(algorithm);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] algorithms, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(algorithms);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] algorithms, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(algorithms);
    }

    @Override
    public String @Nullable [] getServerAliases(String algorithm, Principal @Nullable [] issuers) {
        return aliases(algorithm);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String algorithm, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(algorithm);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String algorithm, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(algorithm);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {certificate};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }
}
