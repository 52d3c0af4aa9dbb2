package dev.semel.replication;

import java.util.function.Consumer;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS between members, in both directions: each proves who it is, and refuses whom it does not know.
 *
 * @param own this member's key and certificate
 * @param others accepts the certificates of members, and no others
 * @param refused called with the reason for each refused connection, which may be many times a second
 */
public record MutualTls(X509ExtendedKeyManager own, X509ExtendedTrustManager others, Consumer<String> refused) {}
