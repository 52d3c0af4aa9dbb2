package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.UriOption;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No option of a connection string is accepted and ignored: each changes the settings, is refused, or asks for what is so. */
class OptionsTest {
    private static final String HOST = "mongodb://localhost/?";

    /** A connection string without the option, and what to add to it, with another value than the default. */
    private record Example(String without, String with) {}

    private static Example example(UriOption option) {
        return switch (option) {
            case APP_NAME -> plain("appname=x");
            case AUTH_MECHANISM -> user("authMechanism=SCRAM-SHA-1");
            case AUTH_MECHANISM_PROPERTIES -> user("authMechanismProperties=A:b");
            case AUTH_SOURCE -> user("authSource=other");
            case COMPRESSORS -> plain("compressors=zlib");
            case CONNECT_TIMEOUT_MS -> plain("connectTimeoutMS=1");
            case DIRECT_CONNECTION -> plain("directConnection=true");
            case ENABLE_OVERLOAD_RETARGETING -> plain("enableOverloadRetargeting=true");
            case HEARTBEAT_FREQUENCY_MS -> plain("heartbeatFrequencyMS=700");
            case JOURNAL -> plain("journal=true");
            case LOAD_BALANCED -> plain("loadBalanced=true");
            case LOCAL_THRESHOLD_MS -> plain("localThresholdMS=1");
            case MAX_ADAPTIVE_RETRIES -> plain("maxAdaptiveRetries=7");
            case MAX_CONNECTING -> plain("maxConnecting=7");
            case MAX_IDLE_TIME_MS -> plain("maxIdleTimeMS=7");
            case MAX_LIFE_TIME_MS -> plain("maxLifeTimeMS=7");
            case MAX_POOL_SIZE -> plain("maxPoolSize=7");
            case MAX_STALENESS_SECONDS -> new Example(HOST + "readPreference=secondary", "&maxStalenessSeconds=120");
            case MIN_POOL_SIZE -> plain("minPoolSize=7");
            case PROXY_HOST -> plain("proxyHost=x");
            case PROXY_PORT -> new Example(HOST + "proxyHost=x", "&proxyPort=7");
            case PROXY_USERNAME, PROXY_PASSWORD ->
                new Example(HOST + "proxyHost=x", "&proxyUsername=ann&proxyPassword=y");
            case READ_CONCERN_LEVEL -> plain("readConcernLevel=majority");
            case READ_PREFERENCE -> plain("readPreference=secondary");
            case READ_PREFERENCE_TAGS -> new Example(HOST + "readPreference=secondary", "&readPreferenceTags=dc:ny");
            case REPLICA_SET -> plain("replicaSet=x");
            case RETRY_READS -> plain("retryReads=false");
            case RETRY_WRITES -> plain("retryWrites=false");
            case SERVER_MONITORING_MODE -> plain("serverMonitoringMode=poll");
            case SERVER_SELECTION_TIMEOUT_MS -> plain("serverSelectionTimeoutMS=7");
            case SERVER_SELECTION_TRY_ONCE -> plain("serverSelectionTryOnce=true");
            case SOCKET_TIMEOUT_MS -> plain("socketTimeoutMS=7");
            case SRV_MAX_HOSTS -> new Example("mongodb+srv://a.example.com/?", "srvMaxHosts=7");
            case SRV_SERVICE_NAME -> new Example("mongodb+srv://a.example.com/?", "srvServiceName=x");
            case SSL -> plain("ssl=true");
            case TIMEOUT_MS -> plain("timeoutMS=7");
            case TLS -> plain("tls=true");
            case TLS_ALLOW_INVALID_CERTIFICATES -> tls("tlsAllowInvalidCertificates=true");
            case TLS_ALLOW_INVALID_HOSTNAMES -> tls("tlsAllowInvalidHostnames=true");
            case TLS_CA_FILE -> plain("tlsCAFile=x");
            case TLS_CERTIFICATE_KEY_FILE -> plain("tlsCertificateKeyFile=x");
            case TLS_CERTIFICATE_KEY_FILE_PASSWORD -> tls("tlsCertificateKeyFilePassword=x");
            case TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK -> tls("tlsDisableCertificateRevocationCheck=false");
            case TLS_DISABLE_OCSP_ENDPOINT_CHECK -> tls("tlsDisableOCSPEndpointCheck=false");
            case TLS_INSECURE -> tls("tlsInsecure=true");
            case UUID_REPRESENTATION -> plain("uuidRepresentation=standard");
            case W -> plain("w=majority");
            case W_TIMEOUT_MS -> plain("wTimeoutMS=7");
            case WAIT_QUEUE_TIMEOUT_MS -> plain("waitQueueTimeoutMS=7");
            case ZLIB_COMPRESSION_LEVEL -> plain("zlibCompressionLevel=7");
        };
    }

    private static Example plain(String option) {
        return new Example(HOST, option);
    }

    private static Example user(String option) {
        return new Example("mongodb://ann:secret@localhost/?", option);
    }

    private static Example tls(String option) {
        return new Example(HOST + "tls=true", "&" + option);
    }

    @ParameterizedTest
    @EnumSource
    void eachChangesTheSettingsOrIsRefused(UriOption option) {
        Example example = example(option);
        assertThat(new ConnectionString(example.without() + example.with()).warnings())
                .isEmpty();
        Map<String, Optional<Object>> with;
        try {
            with = settings(example.without() + example.with());
        } catch (MongoConfigurationException e) {
            return;
        }
        assertThat(with).isNotEqualTo(settings(example.without()));
    }

    /** What every getter of the settings says. */
    private static Map<String, Optional<Object>> settings(String uri) {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .build();
        return Arrays.stream(MongoClientSettings.class.getMethods())
                .filter(each -> each.getDeclaringClass() == MongoClientSettings.class
                        && each.getParameterCount() == 0
                        && !each.getName().equals("getDnsClient")
                        && !each.getReturnType().equals(MongoClientSettings.Builder.class))
                .collect(Collectors.toMap(Method::getName, each -> value(each, settings)));
    }

    private static Optional<Object> value(Method getter, MongoClientSettings settings) {
        try {
            return Optional.ofNullable(getter.invoke(settings));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(getter.getName(), e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mongodb://localhost/?tlsInsecure=true",
                "mongodb://localhost/?tlsAllowInvalidCertificates=true",
                "mongodb://localhost/?tlsCertificateKeyFilePassword=x",
                "mongodb://localhost/?tls=false&tlsCAFile=x",
                "mongodb://localhost/?authMechanismProperties=A:b",
                "mongodb://ann:secret@localhost/?authMechanismProperties=A:b",
                "mongodb://ann@localhost/?authMechanism=GSSAPI&authSource=$external",
                "mongodb://localhost/?authMechanism=MONGODB-AWS",
                "mongodb://localhost/?serverSelectionTryOnce=true",
                "mongodb://localhost/?tls=true&tlsDisableOCSPEndpointCheck=false"
            })
    void whatWouldHaveNoEffectIsRefused(String uri) {
        var string = new ConnectionString(uri);
        assertThatThrownBy(() -> MongoClientSettings.builder()
                        .applyConnectionString(string)
                        .build())
                .isInstanceOf(MongoConfigurationException.class);
    }

    /** Without it the mechanism would be negotiated. */
    @ParameterizedTest
    @ValueSource(strings = {"FOO", "scram-sha-256", "MONGODB-CR"})
    void unknownMechanismIsRefused(String mechanism) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ConnectionString("mongodb://ann:secret@localhost/?authMechanism=" + mechanism))
                .withMessage(
                        "The value '" + mechanism + "' of the option authMechanism is not an authentication mechanism");
    }

    /** They ask for what is so in any case. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "serverSelectionTryOnce=false",
                "tls=true&tlsDisableOCSPEndpointCheck=true",
                "tlsDisableCertificateRevocationCheck=true",
                "tlsInsecure=false"
            })
    void whatIsSoInAnyCaseIsAccepted(String options) {
        var string = new ConnectionString(HOST + options);
        assertThatCode(() -> MongoClientSettings.builder()
                        .applyConnectionString(string)
                        .build())
                .doesNotThrowAnyException();
    }
}
