package dev.semel.blackpipe.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;

/**
 * A connection string taken apart just so far that its hosts can be exchanged.
 *
 * @param credentials with the final {@code @}, or empty
 * @param database empty if none is named
 * @param options {@code name=value} each
 */
public record TargetUri(String credentials, List<String> hosts, String database, List<String> options) {
    /** How long a server may take to accept a connection. */
    public static final int CONNECT_TIMEOUT_MS = 5_000;

    private static final Pattern URI = Pattern.compile("mongodb://([^/]*@)?([^/?@]+)(?:/([^?]*))?(?:\\?(.*))?");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:\\[\\]]+)(?::([0-9]{1,5}))?");

    public TargetUri {
        hosts = List.copyOf(hosts);
        options = List.copyOf(options);
    }

    /** An {@link IllegalArgumentException} says what is wrong. */
    public static TargetUri parse(String text) {
        if (text.startsWith("mongodb+srv:")) {
            throw new IllegalArgumentException(
                    "mongodb+srv is not supported here: name the hosts, as in mongodb://host:27017");
        }
        Matcher parts = URI.matcher(text.contains("://") ? text : "mongodb://" + text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no connection string, such as mongodb://127.0.0.1:27017");
        }
        List<String> hosts =
                Stream.of(parts.group(2).split(",")).map(TargetUri::withPort).toList();
        String options = parts.group(4);
        return new TargetUri(
                parts.group(1) == null ? "" : parts.group(1),
                hosts,
                parts.group(3) == null ? "" : parts.group(3),
                options == null || options.isEmpty() ? List.of() : List.of(options.split("&")));
    }

    private static String withPort(String host) {
        Matcher parts = HOST.matcher(host);
        if (!parts.matches() || (parts.group(2) != null && Integer.parseInt(parts.group(2)) > 65535)) {
            throw new IllegalArgumentException("'" + host + "' is no host, such as 127.0.0.1:27017");
        }
        return parts.group(2) == null ? host + ":27017" : host;
    }

    private boolean isEncrypted() {
        return options.stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .anyMatch(each -> each.equals("tls=true") || each.equals("ssl=true"));
    }

    /** A connection to one of the hosts, or to another of their set. */
    public Socket connect(String host) throws IOException {
        int colon = host.lastIndexOf(':');
        String name = host.substring(0, colon).replaceAll("[\\[\\]]", "");
        int port = Integer.parseInt(host.substring(colon + 1));
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(name, port), CONNECT_TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            return isEncrypted()
                    ? ((SSLSocketFactory) SSLSocketFactory.getDefault()).createSocket(socket, name, port, true)
                    : socket;
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot reach " + host + ": " + e.getMessage(), e);
        }
    }

    /** The same with other hosts; the way to them is not encrypted. */
    TargetUri at(List<String> others) {
        List<String> plain = options.stream()
                .filter(each -> !each.toLowerCase(Locale.ROOT).startsWith("tls"))
                .filter(each -> !each.toLowerCase(Locale.ROOT).startsWith("ssl"))
                .toList();
        return new TargetUri(credentials, others, database, plain);
    }

    public TargetUri database(String chosen) {
        return new TargetUri(credentials, hosts, chosen, options);
    }

    /** With this option, unless it is there already. */
    public TargetUri withDefault(String name, String value) {
        boolean given = options.stream()
                .anyMatch(each -> each.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + "="));
        return given
                ? this
                : new TargetUri(
                        credentials,
                        hosts,
                        database,
                        Stream.concat(options.stream(), Stream.of(name + "=" + value))
                                .toList());
    }

    @Override
    public String toString() {
        return "mongodb://" + credentials + String.join(",", hosts) + "/" + database
                + (options.isEmpty() ? "" : options.stream().collect(Collectors.joining("&", "?", "")));
    }
}
