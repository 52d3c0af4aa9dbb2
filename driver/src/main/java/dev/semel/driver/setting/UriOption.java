package dev.semel.driver.setting;

import dev.semel.wire.message.Compressor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All options of connection strings and how they are parsed. An invalid value is left out with a warning, but for a few. */
public enum UriOption {
    APP_NAME("appname", UriOption::appName),
    AUTH_MECHANISM("authMechanism", UriOption::mechanism),
    AUTH_MECHANISM_PROPERTIES("authMechanismProperties", UriOption::pairs),
    AUTH_SOURCE("authSource", text -> text),
    COMPRESSORS("compressors", UriOption::compressors),
    CONNECT_TIMEOUT_MS("connectTimeoutMS", atLeast(0)),
    DIRECT_CONNECTION("directConnection", UriOption::flag),
    ENABLE_OVERLOAD_RETARGETING("enableOverloadRetargeting", UriOption::flag),
    HEARTBEAT_FREQUENCY_MS("heartbeatFrequencyMS", atLeast(500)),
    JOURNAL("journal", UriOption::flag),
    LOAD_BALANCED("loadBalanced", UriOption::flag),
    LOCAL_THRESHOLD_MS("localThresholdMS", atLeast(0)),
    MAX_ADAPTIVE_RETRIES("maxAdaptiveRetries", atLeast(0)),
    MAX_CONNECTING("maxConnecting", atLeast(1)),
    MAX_IDLE_TIME_MS("maxIdleTimeMS", atLeast(0)),
    MAX_LIFE_TIME_MS("maxLifeTimeMS", atLeast(0)),
    MAX_POOL_SIZE("maxPoolSize", atLeast(0)),
    MAX_STALENESS_SECONDS("maxStalenessSeconds", atLeast(-1)),
    MIN_POOL_SIZE("minPoolSize", atLeast(0)),
    PROXY_HOST("proxyHost", text -> text),
    PROXY_PORT("proxyPort", atLeast(0)),
    PROXY_USERNAME("proxyUsername", text -> text),
    PROXY_PASSWORD("proxyPassword", text -> text),
    READ_CONCERN_LEVEL("readConcernLevel", text -> text),
    READ_PREFERENCE("readPreference", UriOption::readPreferenceMode),
    READ_PREFERENCE_TAGS("readPreferenceTags", UriOption::pairs),
    REPLICA_SET("replicaSet", text -> text),
    RETRY_READS("retryReads", UriOption::flag),
    RETRY_WRITES("retryWrites", UriOption::flag),
    SERVER_MONITORING_MODE("serverMonitoringMode", UriOption::monitoringMode),
    SERVER_SELECTION_TIMEOUT_MS("serverSelectionTimeoutMS", atLeast(0)),
    SERVER_SELECTION_TRY_ONCE("serverSelectionTryOnce", UriOption::flag),
    SOCKET_TIMEOUT_MS("socketTimeoutMS", atLeast(0)),
    SRV_MAX_HOSTS("srvMaxHosts", atLeast(0)),
    SRV_SERVICE_NAME("srvServiceName", text -> text),
    SSL("ssl", UriOption::flag),
    TIMEOUT_MS("timeoutMS", atLeast(0)),
    TLS("tls", UriOption::flag),
    TLS_ALLOW_INVALID_CERTIFICATES("tlsAllowInvalidCertificates", UriOption::flag),
    TLS_ALLOW_INVALID_HOSTNAMES("tlsAllowInvalidHostnames", UriOption::flag),
    TLS_CA_FILE("tlsCAFile", text -> text),
    TLS_CERTIFICATE_KEY_FILE("tlsCertificateKeyFile", text -> text),
    TLS_CERTIFICATE_KEY_FILE_PASSWORD("tlsCertificateKeyFilePassword", text -> text),
    TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK("tlsDisableCertificateRevocationCheck", UriOption::flag),
    TLS_DISABLE_OCSP_ENDPOINT_CHECK("tlsDisableOCSPEndpointCheck", UriOption::flag),
    TLS_INSECURE("tlsInsecure", UriOption::flag),
    UUID_REPRESENTATION("uuidRepresentation", UriOption::uuidRepresentation),
    W("w", UriOption::w),
    W_TIMEOUT_MS("wTimeoutMS", atLeast(0)),
    WAIT_QUEUE_TIMEOUT_MS("waitQueueTimeoutMS", atLeast(0)),
    ZLIB_COMPRESSION_LEVEL("zlibCompressionLevel", between(-1, 9));

    /** Refuses the text with an {@link IllegalArgumentException}. */
    interface Parser {
        Object parse(String text);
    }

    private static final Map<String, UriOption> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toUnmodifiableMap(each -> each.label.toLowerCase(Locale.ROOT), each -> each));

    private static final Set<String> UUID_REPRESENTATIONS =
            Set.of("standard", "unspecified", "javaLegacy", "csharpLegacy", "pythonLegacy");

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // parsers are functions without state
    private final Parser parser;

    UriOption(String label, Parser parser) {
        this.label = label;
        this.parser = parser;
    }

    /** The usual spelling of the name, which is case-insensitive in connection strings. */
    public String label() {
        return label;
    }

    Object parse(String text) {
        return parser.parse(text);
    }

    static @Nullable UriOption named(String name) {
        return BY_NAME.get(name.toLowerCase(Locale.ROOT));
    }

    private static Object flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false");
        };
    }

    private static Parser atLeast(int minimum) {
        return between(minimum, Integer.MAX_VALUE);
    }

    private static Parser between(int minimum, int maximum) {
        return text -> {
            int number;
            try {
                number = Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("is not a number", e);
            }
            if (number < minimum || number > maximum) {
                throw new IllegalArgumentException("is not a number from " + minimum + " to " + maximum);
            }
            return number;
        };
    }

    private static Object appName(String text) {
        if (text.getBytes(StandardCharsets.UTF_8).length > 128) {
            throw new IllegalArgumentException("is longer than 128 bytes");
        }
        return text;
    }

    private static Object mechanism(String text) {
        return AuthenticationMechanism.named(text)
                .orElseThrow(() -> new IllegalArgumentException("is not an authentication mechanism"));
    }

    private static Object readPreferenceMode(String text) {
        return ReadPreference.Mode.named(text)
                .orElseThrow(() -> new IllegalArgumentException("is not a read preference"));
    }

    private static Object monitoringMode(String text) {
        return ServerMonitoringMode.named(text)
                .orElseThrow(() -> new IllegalArgumentException("is not one of stream, poll and auto"));
    }

    private static Object uuidRepresentation(String text) {
        if (!UUID_REPRESENTATIONS.contains(text)) {
            throw new IllegalArgumentException("is not one of " + UUID_REPRESENTATIONS);
        }
        return text;
    }

    private static Object compressors(String text) {
        var known = Compressor.common(List.of(text.split(",")));
        if (known.isEmpty()) {
            throw new IllegalArgumentException("names no compressor this driver has");
        }
        return known;
    }

    private static Object w(String text) {
        return text.matches("-?\\d+")
                ? new WriteConcern.W.Members(Integer.parseInt(text))
                : new WriteConcern.W.Mode(text);
    }

    /** {@code name:value,name:value}; an empty text is an empty map. The value may contain further colons. */
    private static Object pairs(String text) {
        var result = wellFormedPairs(text);
        if (!text.isEmpty() && result.size() < text.split(",", -1).length) {
            throw new IllegalArgumentException("has parts that are not name:value, each name once");
        }
        return result;
    }

    static Map<String, String> wellFormedPairs(String text) {
        Map<String, String> result = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            if (colon > 0) {
                result.put(pair.substring(0, colon), pair.substring(colon + 1));
            }
        }
        return result;
    }
}
