package dev.semel.driver.connection;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.wire.tls.PemFile;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Encryption over a socket: whom to trust, who we are, and that the server is the one that was asked for. */
final class Tls {
    private Tls() {}

    static SSLSocket over(Socket socket, ServerAddress address, TlsSettings settings) throws IOException {
        SSLContext given = settings.context();
        SSLContext context = given == null ? context(settings) : given;
        var encrypted =
                (SSLSocket) context.getSocketFactory().createSocket(socket, address.host(), address.port(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        if (!settings.allowInvalidHostnames() && !settings.allowInvalidCertificates()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (address.host().chars().anyMatch(Character::isLetter)
                && !address.host().contains(":")) {
            parameters.setServerNames(List.of(new SNIHostName(address.host())));
        }
        encrypted.setSSLParameters(parameters);
        return encrypted;
    }

    private static SSLContext context(TlsSettings settings) {
        try {
            var context = SSLContext.getInstance("TLS");
            Path keyFile = settings.certificateKeyFile();
            context.init(
                    keyFile == null ? null : PemFile.read(keyFile).keyManagers(settings.certificateKeyFilePassword()),
                    trust(settings),
                    new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new MongoConfigurationException("The TLS settings cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trust(TlsSettings settings) throws IOException {
        if (settings.allowInvalidCertificates()) {
            return new TrustManager[] {new TrustEveryone()};
        }
        Path file = settings.caFile();
        return file == null ? null : PemFile.read(file).trustManagers();
    }

    /** For tlsAllowInvalidCertificates: whoever sets that does not want to be asked. */
    private static final class TrustEveryone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
