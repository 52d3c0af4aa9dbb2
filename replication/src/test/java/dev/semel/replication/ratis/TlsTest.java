package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Membership;
import dev.semel.replication.MutualTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that know each other by certificate. */
class TlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir
    Path folder;

    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

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
            assertThat(refused)
                    .hasSize(2)
                    .allMatch(each -> each.startsWith("127.0.0.1 was refused at the port for members: "));
        }
    }

    @Test
    void whoSpeaksNoTlsIsClosedAtOnceAndNobodyElseNotices() throws Exception {
        try (var set = LocalSet.ofThree(folder, certificate("own"))) {
            set.write("x");
            for (String text :
                    List.of("GET / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\0".repeat(1 << 20))) {
                assertThat(isClosedAfter(set.member("a").port(), text)).isTrue();
            }
            assertThat(refused).hasSize(3).containsOnly("127.0.0.1 has connected without TLS to the port for members");
            var written = set.writeMany("entry ", 5);
            set.names().forEach(name -> assertThat(set.state(name)).isNotNull());
            assertThat(written).hasSize(5);
        }
    }

    private static boolean isClosedAfter(int port, String text) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            // Reset: bytes that nobody read.
            return true;
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
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        var authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        authorities.setCertificateEntry(name, keys.getCertificate("own"));
        var others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(authorities);
        return new MutualTls(
                (X509ExtendedKeyManager) own.getKeyManagers()[0],
                (X509ExtendedTrustManager) others.getTrustManagers()[0],
                refused::add);
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
                        // Its second compiler would take more CPU than the rest of it.
                        "-J-XX:TieredStopAtLevel=1",
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
