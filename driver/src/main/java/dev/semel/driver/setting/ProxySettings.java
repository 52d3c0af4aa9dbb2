package dev.semel.driver.setting;

import org.jspecify.annotations.Nullable;

/** The SOCKS5 proxy that connections go through, with a user name and password or with neither. */
public record ProxySettings(
        String host,
        int port,
        @Nullable String userName,
        @Nullable String password) {
    public static final int PORT_DEFAULT = 1080;

    public ProxySettings {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("The host of the proxy is empty");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("The port of the proxy is not a number from 0 to 65535: " + port);
        }
        if ((userName == null) != (password == null)) {
            throw new IllegalArgumentException("A proxy has both a user name and a password, or neither");
        }
    }

    public ProxySettings(String host, int port) {
        this(host, port, null, null);
    }

    /** Null if the connection string has none. */
    public static @Nullable ProxySettings of(ConnectionString string) {
        return string.option(UriOption.PROXY_HOST) instanceof String host
                ? new ProxySettings(
                        host,
                        string.option(UriOption.PROXY_PORT) instanceof Integer port ? port : PORT_DEFAULT,
                        (String) string.option(UriOption.PROXY_USERNAME),
                        (String) string.option(UriOption.PROXY_PASSWORD))
                : null;
    }

    public static Builder builder() {
        return new Builder(null);
    }

    public static Builder builder(@Nullable ProxySettings from) {
        return new Builder(from);
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private String host = "";
        private int port = PORT_DEFAULT;
        private @Nullable String userName;
        private @Nullable String password;

        private Builder(@Nullable ProxySettings from) {
            if (from != null) {
                host = from.host;
                port = from.port;
                userName = from.userName;
                password = from.password;
            }
        }

        public Builder host(String value) {
            host = value;
            return this;
        }

        public Builder port(int value) {
            port = value;
            return this;
        }

        public Builder username(@Nullable String value) {
            userName = value;
            return this;
        }

        public Builder password(@Nullable String value) {
            password = value;
            return this;
        }

        public ProxySettings build() {
            return new ProxySettings(host, port, userName, password);
        }
    }

    /** Without the password. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
