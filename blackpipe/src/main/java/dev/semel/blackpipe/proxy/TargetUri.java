package dev.semel.blackpipe.proxy;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A connection string, parsed only as far as needed to replace its hosts.
 *
 * @param credentials with the final {@code @}, or empty
 * @param database empty if there is none
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

    /** The last value of the option, percent-decoded; option names are not case-sensitive. */
    public Optional<String> option(String name) {
        String start = name.toLowerCase(Locale.ROOT) + "=";
        return options.stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).startsWith(start))
                .map(each -> decoded(each.substring(start.length())))
                .reduce((first, last) -> last);
    }

    boolean isSet(String name) {
        return option(name).filter("true"::equalsIgnoreCase).isPresent();
    }

    boolean isEncrypted() {
        return isSet("tls") || isSet("ssl");
    }

    /** The user name; empty if there is none. */
    public Optional<String> user() {
        int end = credentials.indexOf(':') < 0 ? credentials.length() - 1 : credentials.indexOf(':');
        return credentials.isEmpty() ? Optional.empty() : Optional.of(decoded(credentials.substring(0, end)));
    }

    public String password() {
        int colon = credentials.indexOf(':');
        return colon < 0 ? "" : decoded(credentials.substring(colon + 1, credentials.length() - 1));
    }

    /** The authentication database. */
    public String authenticationSource() {
        return option("authSource").orElse(database.isEmpty() ? "admin" : database);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The same with other hosts, with or without TLS; certificates are up to the client. */
    TargetUri at(List<String> others, boolean encrypted) {
        Stream<String> rest = options.stream()
                .filter(each -> !each.toLowerCase(Locale.ROOT).startsWith("tls"))
                .filter(each -> !each.toLowerCase(Locale.ROOT).startsWith("ssl"));
        return new TargetUri(
                credentials,
                others,
                database,
                encrypted ? Stream.concat(rest, Stream.of("tls=true")).toList() : rest.toList());
    }

    /** The same with another database; the authentication database does not change. */
    public TargetUri database(String chosen) {
        TargetUri pinned = credentials.isEmpty() ? this : withDefault("authSource", authenticationSource());
        return new TargetUri(credentials, hosts, chosen, pinned.options);
    }

    /** Adds this option unless it is already set. */
    public TargetUri withDefault(String name, String value) {
        return option(name).isPresent()
                ? this
                : new TargetUri(
                        credentials,
                        hosts,
                        database,
                        Stream.concat(options.stream(), Stream.of(name + "=" + value))
                                .toList());
    }

    /** The connection string without the password. */
    public String shown() {
        return credentials.contains(":")
                ? new TargetUri(credentials.substring(0, credentials.indexOf(':')) + ":***@", hosts, database, options)
                        .toString()
                : toString();
    }

    @Override
    public String toString() {
        return "mongodb://" + credentials + String.join(",", hosts) + "/" + database
                + (options.isEmpty() ? "" : options.stream().collect(Collectors.joining("&", "?", "")));
    }
}
