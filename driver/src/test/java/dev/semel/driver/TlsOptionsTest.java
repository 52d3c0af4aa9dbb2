package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.UriOption;
import dev.semel.golden.certificate.Certificates;
import dev.semel.golden.certificate.Certificates.Form;
import dev.semel.golden.certificate.Certificates.Owner;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.tls.Tls;
import dev.semel.server.tls.Tls.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** With each of these options a client gets a connection that it does not get without it. */
class TlsOptionsTest {
    static final Set<UriOption> OPTIONS = EnumSet.of(
            UriOption.TLS_ALLOW_INVALID_CERTIFICATES,
            UriOption.TLS_ALLOW_INVALID_HOSTNAMES,
            UriOption.TLS_CA_FILE,
            UriOption.TLS_CERTIFICATE_KEY_FILE,
            UriOption.TLS_CERTIFICATE_KEY_FILE_PASSWORD,
            UriOption.TLS_INSECURE);

    private static final String UNTRUSTED = "PKIX path building failed";

    @TempDir
    static Path folder;

    private static Owner here;
    private static Owner elsewhere;
    private static Owner ann;
    private static Owner bob;

    /** A server, the options without and with the one in question, and what the client says without it. */
    private record Example(Tls server, String without, String with, String failure) {}

    @BeforeAll
    static void makeCertificates() throws Exception {
        var certificates = new Certificates(folder);
        here = certificates.make("here", "ip:127.0.0.1", Form.PKCS_8, "");
        elsewhere = certificates.make("elsewhere", "dns:elsewhere.example", Form.PKCS_8, "");
        ann = certificates.make("ann", "", Form.PKCS_8, "");
        bob = certificates.make("bob", "", Form.ENCRYPTED, "secret");
    }

    private static Example example(UriOption option) throws IOException {
        String trusting = "&tlsCAFile=" + here.certificate();
        return switch (option) {
            case TLS_ALLOW_INVALID_CERTIFICATES ->
                new Example(named(here), "", "&tlsAllowInvalidCertificates=true", UNTRUSTED);
            case TLS_ALLOW_INVALID_HOSTNAMES -> {
                String trustingIt = "&tlsCAFile=" + elsewhere.certificate();
                yield new Example(
                        named(elsewhere), trustingIt, trustingIt + "&tlsAllowInvalidHostnames=true", "127.0.0.1");
            }
            case TLS_CA_FILE -> new Example(named(here), "", trusting, UNTRUSTED);
            case TLS_CERTIFICATE_KEY_FILE ->
                new Example(asking(ann), trusting, trusting + "&tlsCertificateKeyFile=" + ann.both(), "");
            case TLS_CERTIFICATE_KEY_FILE_PASSWORD -> {
                String withKey = trusting + "&tlsCertificateKeyFile=" + bob.both();
                yield new Example(asking(bob), withKey, withKey + "&tlsCertificateKeyFilePassword=secret", "password");
            }
            case TLS_INSECURE -> new Example(named(elsewhere), "", "&tlsInsecure=true", UNTRUSTED);
            default -> throw new IllegalArgumentException(option.label());
        };
    }

    private static Tls named(Owner owner) throws IOException {
        return Tls.of(Mode.requireTLS, owner.both(), null, null, false);
    }

    private static Tls asking(Owner client) throws IOException {
        return Tls.of(Mode.requireTLS, here.both(), null, client.certificate(), false);
    }

    @ParameterizedTest
    @FieldSource("OPTIONS")
    void optionMakesTheConnectionPossible(UriOption option) throws IOException {
        Example example = example(option);
        try (var server = Server.start(ServerOptions.memory().tls(example.server()))) {
            String uri = "mongodb://" + server.address() + "/?replicaSet=rs0&tls=true";
            assertThat(failure(uri + example.without())).contains(example.failure());
            try (MongoClient client = MongoClients.create(uri + example.with())) {
                client.getDatabase("db").getCollection("c").insertOne(new Document());
            }
        }
    }

    @Test
    void fileThatCannotBeUsedIsNamedAtOnce() throws IOException {
        Path noPem = Files.writeString(folder.resolve("text.pem"), "no certificate");
        assertThatExceptionOfType(MongoConfigurationException.class)
                .isThrownBy(() -> MongoClients.create("mongodb://localhost/?tlsCAFile=" + noPem))
                .withMessageContaining("the file " + noPem + " is not in PEM form");
        for (String option : List.of("tlsCAFile=", "tlsCertificateKeyFile=")) {
            assertThatExceptionOfType(MongoConfigurationException.class)
                    .isThrownBy(() -> MongoClients.create("mongodb://localhost/?" + option + "nowhere.pem"))
                    .withMessageContaining("there is no file nowhere.pem");
        }
    }

    private static String failure(String uri) {
        try (MongoClient client = MongoClients.create(uri)) {
            Await.until(() -> error(client) != null);
            return String.valueOf(error(client));
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static @Nullable Throwable error(MongoClient client) {
        return client.getClusterDescription().servers().iterator().next().error();
    }
}
