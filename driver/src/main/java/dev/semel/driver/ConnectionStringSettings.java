package dev.semel.driver;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ProxySettings;
import dev.semel.driver.setting.ServerMonitoringMode;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.driver.setting.UriOption;
import dev.semel.wire.message.Compressor;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;

/** Where each option of a connection string goes. */
final class ConnectionStringSettings {
    private static final System.Logger LOG = System.getLogger("dev.semel.driver.uri");

    private static final Set<UriOption> ONLY_WITH_TLS = EnumSet.of(
            UriOption.TLS_INSECURE,
            UriOption.TLS_ALLOW_INVALID_CERTIFICATES,
            UriOption.TLS_ALLOW_INVALID_HOSTNAMES,
            UriOption.TLS_CA_FILE,
            UriOption.TLS_CERTIFICATE_KEY_FILE,
            UriOption.TLS_CERTIFICATE_KEY_FILE_PASSWORD);

    private ConnectionStringSettings() {}

    static void apply(ConnectionString string, MongoClientSettings.Builder builder) {
        string.warnings().forEach(each -> LOG.log(Level.WARNING, each));
        refuseWithoutEffect(string);
        builder.applyToClusterSettings(settings -> cluster(string, settings))
                .applyToSocketSettings(settings -> sockets(string, settings))
                .applyToServerSettings(settings -> servers(string, settings))
                .applyToConnectionPoolSettings(settings -> pool(string, settings));
        ifPresent(string.getCredential(), builder::credential);
        ifPresent(TlsSettings.of(string), builder::tls);
        ifPresent(string.option(UriOption.APP_NAME), value -> builder.applicationName((String) value));
        ifPresent(string.option(UriOption.COMPRESSORS), value -> builder.compressors(compressors(value)));
        ifPresent(string.option(UriOption.ZLIB_COMPRESSION_LEVEL), value -> builder.zlibCompressionLevel((int) value));
        ifPresent(string.option(UriOption.RETRY_READS), value -> builder.retryReads((boolean) value));
        ifPresent(string.option(UriOption.RETRY_WRITES), value -> builder.retryWrites((boolean) value));
        ifPresent(string.option(UriOption.MAX_ADAPTIVE_RETRIES), value -> builder.maxAdaptiveRetries((int) value));
        ifPresent(
                string.option(UriOption.ENABLE_OVERLOAD_RETARGETING),
                value -> builder.enableOverloadRetargeting((boolean) value));
        ifPresent(string.readPreference(), builder::readPreference);
        ifPresent(string.readConcern(), builder::readConcern);
        ifPresent(string.writeConcern(), builder::writeConcern);
        ifPresent(string.option(UriOption.UUID_REPRESENTATION), value -> uuids((String) value, builder));
        ifPresent(millis(string, UriOption.TIMEOUT_MS), builder::timeout);
    }

    /** Options that would be accepted and have no effect, although the application relies on them. */
    private static void refuseWithoutEffect(ConnectionString string) {
        refuse(
                Boolean.TRUE.equals(string.option(UriOption.SERVER_SELECTION_TRY_ONCE)),
                "serverSelectionTryOnce=true is not supported: servers are looked for until serverSelectionTimeoutMS");
        for (UriOption each : List.of(
                UriOption.TLS_DISABLE_OCSP_ENDPOINT_CHECK, UriOption.TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK)) {
            refuse(
                    Boolean.FALSE.equals(string.option(each)),
                    each.label() + "=false is not supported: this driver does not check whether certificates were"
                            + " revoked; give it an SSLContext that does");
        }
        TlsSettings tls = TlsSettings.of(string);
        boolean isEncrypted = tls != null && tls.enabled();
        for (UriOption each : ONLY_WITH_TLS) {
            Object value = string.option(each);
            refuse(
                    !isEncrypted && value != null && !Boolean.FALSE.equals(value),
                    each.label() + " has no meaning without tls=true");
        }
        refuse(
                string.getCredential() == null && string.option(UriOption.AUTH_MECHANISM_PROPERTIES) != null,
                "authMechanismProperties has no meaning without a user or an authMechanism");
    }

    private static void refuse(boolean isWithoutEffect, String why) {
        if (isWithoutEffect) {
            throw new MongoConfigurationException(why);
        }
    }

    private static void cluster(ConnectionString string, ClusterSettings.Builder settings) {
        if (string.isSrv()) {
            settings.srvHost(string.hosts().getFirst().host());
        } else {
            settings.hosts(string.hosts());
        }
        ifPresent(string.option(UriOption.SRV_SERVICE_NAME), value -> settings.srvServiceName((String) value));
        ifPresent(string.option(UriOption.SRV_MAX_HOSTS), value -> settings.srvMaxHosts((int) value));
        ifPresent(string.option(UriOption.REPLICA_SET), value -> settings.requiredReplicaSetName((String) value));
        ifPresent(string.option(UriOption.DIRECT_CONNECTION), value -> settings.directConnection((boolean) value));
        ifPresent(string.option(UriOption.LOAD_BALANCED), value -> settings.loadBalanced((boolean) value));
        ifPresent(millis(string, UriOption.SERVER_SELECTION_TIMEOUT_MS), settings::serverSelectionTimeout);
        ifPresent(millis(string, UriOption.LOCAL_THRESHOLD_MS), settings::localThreshold);
    }

    private static void sockets(ConnectionString string, SocketSettings.Builder settings) {
        ifPresent(millis(string, UriOption.CONNECT_TIMEOUT_MS), settings::connectTimeout);
        ifPresent(millis(string, UriOption.SOCKET_TIMEOUT_MS), value -> settings.readTimeout(unlessZero(value)));
        ifPresent(ProxySettings.of(string), settings::proxySettings);
    }

    private static void servers(ConnectionString string, ServerSettings.Builder settings) {
        ifPresent(millis(string, UriOption.HEARTBEAT_FREQUENCY_MS), settings::heartbeatFrequency);
        ifPresent(
                string.option(UriOption.SERVER_MONITORING_MODE),
                value -> settings.serverMonitoringMode((ServerMonitoringMode) value));
    }

    private static void pool(ConnectionString string, ConnectionPoolSettings.Builder settings) {
        ifPresent(string.option(UriOption.MAX_POOL_SIZE), value -> settings.maxSize((int) value));
        ifPresent(string.option(UriOption.MIN_POOL_SIZE), value -> settings.minSize((int) value));
        ifPresent(string.option(UriOption.MAX_CONNECTING), value -> settings.maxConnecting((int) value));
        ifPresent(
                millis(string, UriOption.MAX_IDLE_TIME_MS), value -> settings.maxConnectionIdleTime(unlessZero(value)));
        ifPresent(
                millis(string, UriOption.MAX_LIFE_TIME_MS), value -> settings.maxConnectionLifeTime(unlessZero(value)));
        ifPresent(millis(string, UriOption.WAIT_QUEUE_TIMEOUT_MS), value -> settings.maxWaitTime(unlessZero(value)));
    }

    private static void uuids(String name, MongoClientSettings.Builder builder) {
        var representation = switch (name) {
            case "standard" -> UuidRepresentation.STANDARD;
            case "javaLegacy" -> UuidRepresentation.JAVA_LEGACY;
            case "csharpLegacy" -> UuidRepresentation.C_SHARP_LEGACY;
            case "pythonLegacy" -> UuidRepresentation.PYTHON_LEGACY;
            case "unspecified" -> UuidRepresentation.UNSPECIFIED;
            default -> throw new IllegalArgumentException("uuidRepresentation " + name.toLowerCase(Locale.ROOT));
        };
        builder.uuidRepresentation(representation);
    }

    @SuppressWarnings("unchecked") // the option is parsed to this type
    private static List<Compressor> compressors(Object value) {
        return (List<Compressor>) value;
    }

    private static @Nullable Duration millis(ConnectionString string, UriOption option) {
        var number = (Integer) string.option(option);
        return number == null ? null : Duration.ofMillis(number);
    }

    private static @Nullable Duration unlessZero(Duration value) {
        return value.isZero() ? null : value;
    }

    private static <T> void ifPresent(@Nullable T value, Consumer<T> apply) {
        if (value != null) {
            apply.accept(value);
        }
    }
}
