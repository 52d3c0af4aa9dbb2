package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Membership;
import dev.semel.replication.MutualTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that know each other by certificate. */
class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    @Test
    void setWithMutualTlsReplicates() throws Exception {
        try (var set = LocalSet.ofThree(folder, certificate("own"))) {
            var written = set.writeMany("entry ", 5);
            set.names().forEach(name -> set.awaitEntries(name, written));
        }
    }

    @Test
    void unknownCertificatesAreRefused() throws Exception {
        try (var set = LocalSet.ofThree(folder, certificate("own"))) {
            set.write("x");
            int port = set.member("a").port();
            assertThat(handshake(port, null)).isFalse();
            assertThat(handshake(port, store("stranger"))).isFalse();
            assertThat(handshake(port, store("own"))).isTrue();
        }
    }

    @Test
    void memberWithAnotherCertificateReceivesNothing() throws Exception {
        try (var set = LocalSet.ofThree(folder, certificate("own"));
                var stranger = LocalSet.empty(folder.resolve("strangers"))) {
            set.write("x");
            var voters = set.all().voters();
            var added = set.add("d");
            stranger.members.put("d", added);
            stranger.start("d", Membership.joining(added));
            var change = set.engine(set.leader()).changeMembers(new Membership(voters, List.of(added)));
            set.write("y");
            assertThat(change.isDone()).isFalse();
            assertThat(stranger.state("d").entries()).isEmpty();
        }
    }

    /** Whether the server goes on after it has seen the client's certificate, or that there is none. */
    private static boolean handshake(int port, @Nullable KeyStore keys) throws Exception {
        var context = SSLContext.getInstance("TLS");
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, keys == null ? null : PASSWORD.toCharArray());
        context.init(managers.getKeyManagers(), new TrustManager[] {new TrustAll()}, new SecureRandom());
        try (var plain = new Socket()) {
            plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            plain.setSoTimeout(10_000);
            try (var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", port, true)) {
                var parameters = socket.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2"});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                // The server's settings, or its refusal.
                return socket.getInputStream().read() >= 0;
            }
        } catch (SSLException e) {
            return false;
        }
    }

    private MutualTls certificate(String name) throws Exception {
        var keys = store(name);
        var both = Files.writeString(
                folder.resolve(name + ".pem"),
                pem("PRIVATE KEY", keys.getKey("own", PASSWORD.toCharArray()).getEncoded())
                        + pem("CERTIFICATE", keys.getCertificate("own").getEncoded()));
        return new MutualTls(both, both, both);
    }

    private KeyStore store(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        if (!Files.exists(file)) {
            make(name, file);
        }
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static void make(String name, Path file) throws Exception {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "own",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(output);
        }
    }

    private static String pem(String kind, byte[] bytes) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind);
    }

    /** It is the server that has to be strict here. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
