package dev.semel.driver.setting;

import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Options of TLS. An {@code SSLContext} of the application replaces the files. */
public record TlsSettings(
        boolean enabled,
        boolean allowInvalidHostnames,
        boolean allowInvalidCertificates,
        @Nullable Path caFile,
        @Nullable Path certificateKeyFile,
        @Nullable String certificateKeyFilePassword,
        @Nullable SSLContext context) {
    public static final TlsSettings OFF = new TlsSettings(false, false, false, null, null, null, null);

    public static TlsSettings of(SSLContext context) {
        return new TlsSettings(true, false, false, null, null, null, context);
    }

    public static Builder builder(TlsSettings from) {
        return new Builder(from);
    }

    /** Null if the option is not given. SRV turns TLS on unless it is turned off. */
    public static @Nullable TlsSettings of(ConnectionString string) {
        var enabled = (Boolean) string.option(UriOption.TLS);
        var ca = (String) string.option(UriOption.TLS_CA_FILE);
        var key = (String) string.option(UriOption.TLS_CERTIFICATE_KEY_FILE);
        boolean namesFiles = ca != null || key != null;
        if (enabled == null && !namesFiles && !string.isSrv()) {
            return null;
        }
        boolean insecure = Boolean.TRUE.equals(string.option(UriOption.TLS_INSECURE));
        return new TlsSettings(
                enabled == null || enabled,
                insecure || Boolean.TRUE.equals(string.option(UriOption.TLS_ALLOW_INVALID_HOSTNAMES)),
                insecure || Boolean.TRUE.equals(string.option(UriOption.TLS_ALLOW_INVALID_CERTIFICATES)),
                ca == null ? null : Path.of(ca),
                key == null ? null : Path.of(key),
                (String) string.option(UriOption.TLS_CERTIFICATE_KEY_FILE_PASSWORD),
                null);
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private final TlsSettings from;
        private boolean enabled;
        private boolean invalidHostNameAllowed;
        private @Nullable SSLContext context;

        private Builder(TlsSettings from) {
            this.from = from;
            enabled = from.enabled;
            invalidHostNameAllowed = from.allowInvalidHostnames;
            context = from.context;
        }

        public Builder enabled(boolean value) {
            enabled = value;
            return this;
        }

        public Builder invalidHostNameAllowed(boolean value) {
            invalidHostNameAllowed = value;
            return this;
        }

        /** Replaces the files. */
        public Builder context(@Nullable SSLContext value) {
            context = value;
            return this;
        }

        public TlsSettings build() {
            return new TlsSettings(
                    enabled,
                    invalidHostNameAllowed,
                    from.allowInvalidCertificates,
                    from.caFile,
                    from.certificateKeyFile,
                    from.certificateKeyFilePassword,
                    context);
        }
    }
}
