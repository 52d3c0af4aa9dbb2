package dev.semel.driver.setting;

import java.util.Locale;

/** Where a server listens: a host and a port, or the path of a Unix domain socket (its port is 0). */
public record ServerAddress(String host, int port) {
    public static final int DEFAULT_PORT = 27017;

    /** Host names are in lower case, as the members of a set report them. */
    public ServerAddress {
        if (!host.endsWith(".sock")) {
            host = host.toLowerCase(Locale.ROOT);
        }
    }

    public ServerAddress() {
        this("localhost", DEFAULT_PORT);
    }

    /** {@code host}, {@code host:port}, {@code [IPv6]:port} or a path that ends with {@code .sock}. */
    public ServerAddress(String address) {
        this(hostOf(address), portOf(address));
    }

    public String getHost() {
        return host;
    }

    public int getPort() {
        return port;
    }

    public boolean isUnixSocket() {
        return host.endsWith(".sock");
    }

    private static String hostOf(String address) {
        if (address.endsWith(".sock")) {
            return address;
        }
        if (address.startsWith("[")) {
            int end = address.indexOf(']');
            if (end < 0) {
                throw new IllegalArgumentException("The IPv6 address in '" + address + "' lacks its closing bracket");
            }
            return address.substring(1, end);
        }
        int colon = address.indexOf(':');
        String host = colon < 0 ? address : address.substring(0, colon);
        if (host.isEmpty()) {
            throw new IllegalArgumentException("The host in '" + address + "' is empty");
        }
        return host;
    }

    private static int portOf(String address) {
        if (address.endsWith(".sock")) {
            return 0;
        }
        String rest = address.startsWith("[")
                ? address.substring(address.indexOf(']') + 1)
                : address.substring(Math.max(0, address.indexOf(':') < 0 ? address.length() : address.indexOf(':')));
        if (rest.isEmpty()) {
            return DEFAULT_PORT;
        }
        if (!rest.matches(":\\d{1,5}")) {
            throw new IllegalArgumentException("'" + address + "' is not a host with a port");
        }
        int port = Integer.parseInt(rest, 1, rest.length(), 10);
        if (port == 0 || port > 65535) {
            throw new IllegalArgumentException("The port of '" + address + "' is not between 1 and 65535");
        }
        return port;
    }

    @Override
    public String toString() {
        if (isUnixSocket()) {
            return host;
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
