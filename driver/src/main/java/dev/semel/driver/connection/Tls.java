package dev.semel.driver.connection;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.wire.tls.ClientTls;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** TLS over a socket, with the settings of the client. */
public final class Tls {
    private Tls() {}

    static SSLSocket over(Socket socket, ServerAddress address, TlsSettings settings) throws IOException {
        SSLContext given = settings.context();
        boolean checksHostnames = !settings.allowInvalidHostnames() && !settings.allowInvalidCertificates();
        return ClientTls.of(given == null ? context(settings) : given, checksHostnames)
                .over(socket, address.host(), address.port());
    }

    /** Fails at once if the files cannot be used. They are read again for each connection, for they may be renewed. */
    public static void check(TlsSettings settings) {
        if (settings.enabled() && settings.context() == null) {
            context(settings);
        }
    }

    private static SSLContext context(TlsSettings settings) {
        try {
            return ClientTls.context(
                    settings.certificateKeyFile(),
                    settings.certificateKeyFilePassword(),
                    settings.caFile(),
                    settings.allowInvalidCertificates());
        } catch (IOException e) {
            throw new MongoConfigurationException("The TLS settings cannot be used: " + e.getMessage(), e);
        }
    }
}
