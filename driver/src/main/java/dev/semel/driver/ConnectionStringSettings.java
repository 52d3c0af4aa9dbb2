package dev.semel.driver;

import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ServerMonitoringMode;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.driver.setting.UriOption;
import dev.semel.wire.message.Compressor;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.bson.UuidRepresentation;
import org.bson.codecs.configuration.CodecRegistries;
import org.jspecify.annotations.Nullable;

/** Where each option of a connection string goes. */
final class ConnectionStringSettings {
    private ConnectionStringSettings() {}

    static void apply(ConnectionString string, MongoClientSettings.Builder builder) {
        if (string.isSrv()) {
            builder.srvHost(string.hosts().getFirst().host());
        } else {
            builder.hosts(string.hosts());
        }
        ifPresent(string.option(UriOption.SRV_SERVICE_NAME), value -> builder.srvServiceName((String) value));
        ifPresent(string.option(UriOption.SRV_MAX_HOSTS), value -> builder.srvMaxHosts((int) value));
        ifPresent(string.option(UriOption.REPLICA_SET), value -> builder.replicaSetName((String) value));
        ifPresent(string.option(UriOption.DIRECT_CONNECTION), value -> builder.directConnection((boolean) value));
        ifPresent(string.option(UriOption.LOAD_BALANCED), value -> builder.loadBalanced((boolean) value));
        ifPresent(string.getCredential(), builder::credential);
        ifPresent(TlsSettings.of(string), builder::tls);
        ifPresent(string.option(UriOption.APP_NAME), value -> builder.applicationName((String) value));
        ifPresent(string.option(UriOption.COMPRESSORS), value -> builder.compressors(compressors(value)));
        ifPresent(string.option(UriOption.RETRY_READS), value -> builder.retryReads((boolean) value));
        ifPresent(string.option(UriOption.RETRY_WRITES), value -> builder.retryWrites((boolean) value));
        ifPresent(string.option(UriOption.MAX_ADAPTIVE_RETRIES), value -> builder.maxAdaptiveRetries((int) value));
        ifPresent(
                string.option(UriOption.ENABLE_OVERLOAD_RETARGETING),
                value -> builder.enableOverloadRetargeting((boolean) value));
        ifPresent(string.readPreference(), builder::readPreference);
        ifPresent(string.readConcern(), builder::readConcern);
        ifPresent(string.writeConcern(), builder::writeConcern);
        ifPresent(
                string.option(UriOption.SERVER_MONITORING_MODE),
                value -> builder.serverMonitoringMode((ServerMonitoringMode) value));
        ifPresent(string.option(UriOption.UUID_REPRESENTATION), value -> uuids((String) value, builder));
        applyTimes(string, builder);
        builder.pool(pool(string, builder.pool()));
    }

    private static void applyTimes(ConnectionString string, MongoClientSettings.Builder builder) {
        ifPresent(millis(string, UriOption.TIMEOUT_MS), builder::timeout);
        ifPresent(millis(string, UriOption.CONNECT_TIMEOUT_MS), builder::connectTimeout);
        ifPresent(millis(string, UriOption.SOCKET_TIMEOUT_MS), value -> builder.socketTimeout(unlessZero(value)));
        ifPresent(millis(string, UriOption.SERVER_SELECTION_TIMEOUT_MS), builder::serverSelectionTimeout);
        ifPresent(millis(string, UriOption.HEARTBEAT_FREQUENCY_MS), builder::heartbeatFrequency);
        ifPresent(millis(string, UriOption.LOCAL_THRESHOLD_MS), builder::localThreshold);
    }

    private static PoolSettings pool(ConnectionString string, PoolSettings before) {
        var maxSize = (Integer) string.option(UriOption.MAX_POOL_SIZE);
        var minSize = (Integer) string.option(UriOption.MIN_POOL_SIZE);
        var maxConnecting = (Integer) string.option(UriOption.MAX_CONNECTING);
        var maxIdleTime = millis(string, UriOption.MAX_IDLE_TIME_MS);
        var maxLifeTime = millis(string, UriOption.MAX_LIFE_TIME_MS);
        var waitQueueTimeout = millis(string, UriOption.WAIT_QUEUE_TIMEOUT_MS);
        return new PoolSettings(
                maxSize == null ? before.maxSize() : maxSize,
                minSize == null ? before.minSize() : minSize,
                maxConnecting == null ? before.maxConnecting() : maxConnecting,
                maxIdleTime == null ? before.maxIdleTime() : unlessZero(maxIdleTime),
                maxLifeTime == null ? before.maxLifeTime() : unlessZero(maxLifeTime),
                waitQueueTimeout == null ? before.waitQueueTimeout() : unlessZero(waitQueueTimeout),
                before.maintenanceFrequency());
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
        builder.codecRegistry(
                CodecRegistries.withUuidRepresentation(MongoClientSettings.getDefaultCodecRegistry(), representation));
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
