package dev.semel.driver.setting;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of a connection string, parsed and checked for conflicts. */
final class UriOptions {
    private static final Set<UriOption> MUST_BE_SINGLE =
            Set.of(UriOption.PROXY_HOST, UriOption.PROXY_PORT, UriOption.PROXY_USERNAME, UriOption.PROXY_PASSWORD);

    private static final Set<UriOption> FROM_DNS =
            Set.of(UriOption.AUTH_SOURCE, UriOption.REPLICA_SET, UriOption.LOAD_BALANCED);

    /** At most one option of each group may be given: together they are contradictory or redundant. */
    private static final List<Set<UriOption>> EXCLUSIVE = List.of(
            Set.of(UriOption.TLS_INSECURE, UriOption.TLS_ALLOW_INVALID_CERTIFICATES),
            Set.of(UriOption.TLS_INSECURE, UriOption.TLS_ALLOW_INVALID_HOSTNAMES),
            Set.of(UriOption.TLS_INSECURE, UriOption.TLS_DISABLE_OCSP_ENDPOINT_CHECK),
            Set.of(UriOption.TLS_INSECURE, UriOption.TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK),
            Set.of(UriOption.TLS_ALLOW_INVALID_CERTIFICATES, UriOption.TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK),
            Set.of(UriOption.TLS_ALLOW_INVALID_CERTIFICATES, UriOption.TLS_DISABLE_OCSP_ENDPOINT_CHECK),
            Set.of(UriOption.TLS_DISABLE_OCSP_ENDPOINT_CHECK, UriOption.TLS_DISABLE_CERTIFICATE_REVOCATION_CHECK));

    private final Map<UriOption, Object> values = new EnumMap<>(UriOption.class);
    private final List<Map<String, String>> tagSets = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Options in the connection string take precedence over those of the TXT record. */
    UriOptions(String query, String fromDns) {
        addAll(query);
        if (!fromDns.isEmpty()) {
            new UriOptions(fromDns, "").checkFromDns().forEach(values::putIfAbsent);
        }
        if (!tagSets.isEmpty()) {
            values.put(UriOption.READ_PREFERENCE_TAGS, List.copyOf(tagSets));
        }
        check();
    }

    Map<UriOption, Object> values() {
        return values;
    }

    List<String> warnings() {
        return warnings;
    }

    private void addAll(String query) {
        if (!query.isEmpty()) {
            for (String part : query.split("&", -1)) {
                add(part);
            }
        }
    }

    private Map<UriOption, Object> checkFromDns() {
        if (!warnings.isEmpty()) {
            throw new IllegalArgumentException("In a TXT record: " + warnings.getFirst());
        }
        for (UriOption each : values.keySet()) {
            if (!FROM_DNS.contains(each)) {
                throw new IllegalArgumentException("A TXT record must not name the option " + each.label());
            }
        }
        return values;
    }

    private void add(String part) {
        int equals = part.indexOf('=');
        if (equals <= 0) {
            throw new IllegalArgumentException("The option '" + part + "' has no value");
        }
        String name = part.substring(0, equals);
        String text = PercentEncoding.decode(part.substring(equals + 1));
        UriOption option = UriOption.named(name);
        if (option == null) {
            addUnknown(name, text);
            return;
        }
        if (option == UriOption.AUTH_SOURCE && text.isEmpty()) {
            throw new IllegalArgumentException("authSource must not be empty");
        }
        if (text.isEmpty() && option != UriOption.READ_PREFERENCE_TAGS) {
            warnings.add("The option " + name + " has an empty value and is ignored");
            return;
        }
        try {
            put(option, option.parse(text));
        } catch (IllegalArgumentException e) {
            if (MUST_BE_SINGLE.contains(option)) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            if (option == UriOption.AUTH_MECHANISM_PROPERTIES) {
                put(option, UriOption.wellFormedPairs(text));
            }
            String problem = "The value '" + text + "' of the option " + name + " " + e.getMessage();
            if (option == UriOption.AUTH_MECHANISM) {
                // Another mechanism might show the password to a server that was not to see it.
                throw new IllegalArgumentException(problem, e);
            }
            warnings.add(problem + "; it is ignored");
        }
    }

    private void addUnknown(String name, String text) {
        if (!name.toLowerCase(Locale.ROOT).equals("wtimeout")) {
            warnings.add("There is no option " + name + "; it is ignored");
            return;
        }
        warnings.add("The option wtimeout is deprecated; use wTimeoutMS");
        if (!values.containsKey(UriOption.W_TIMEOUT_MS)) {
            values.put(UriOption.W_TIMEOUT_MS, UriOption.W_TIMEOUT_MS.parse(text));
        }
    }

    @SuppressWarnings("unchecked") // pairs are parsed to this type
    private void put(UriOption option, Object value) {
        if (option == UriOption.READ_PREFERENCE_TAGS) {
            tagSets.add((Map<String, String>) value);
            return;
        }
        boolean isRepeated = values.containsKey(option)
                && !(option == UriOption.W_TIMEOUT_MS
                        && warnings.stream().anyMatch(each -> each.startsWith("The option wtimeout ")));
        if (isRepeated && MUST_BE_SINGLE.contains(option)) {
            throw new IllegalArgumentException("The option " + option.label() + " is given twice");
        }
        if (isRepeated && (option == UriOption.TLS || option == UriOption.SSL) && !value.equals(values.get(option))) {
            throw new IllegalArgumentException("The option " + option.label() + " is given twice, and differs");
        }
        if (isRepeated) {
            warnings.add("The option " + option.label() + " is given twice; the last one counts");
        }
        values.put(option, value);
    }

    private void check() {
        Object tls = values.get(UriOption.TLS);
        Object ssl = values.remove(UriOption.SSL);
        if (tls != null && ssl != null && !tls.equals(ssl)) {
            throw new IllegalArgumentException("tls and ssl are the same option and must not differ");
        }
        if (ssl != null) {
            values.put(UriOption.TLS, ssl);
        }
        for (Set<UriOption> group : EXCLUSIVE) {
            if (values.keySet().containsAll(group)) {
                throw new IllegalArgumentException("These options exclude each other: "
                        + group.stream().map(UriOption::label).sorted().toList());
            }
        }
        boolean hasProxy = values.containsKey(UriOption.PROXY_HOST);
        boolean hasUser = values.containsKey(UriOption.PROXY_USERNAME);
        boolean hasPassword = values.containsKey(UriOption.PROXY_PASSWORD);
        if (!hasProxy && (hasUser || hasPassword || values.containsKey(UriOption.PROXY_PORT))) {
            throw new IllegalArgumentException("proxyPort, proxyUsername and proxyPassword need a proxyHost");
        }
        if (hasUser != hasPassword) {
            throw new IllegalArgumentException("proxyUsername and proxyPassword go together");
        }
    }

    @Nullable
    Object get(UriOption option) {
        return values.get(option);
    }

    boolean isTrue(UriOption option) {
        return Boolean.TRUE.equals(values.get(option));
    }
}
