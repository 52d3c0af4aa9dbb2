package dev.semel.server.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The hosts for which a certificate is valid, according to RFC 9525.
 *
 * @param names of hosts, possibly with a wildcard as the first label
 * @param addresses in binary form
 */
public record CertificateNames(List<String> names, List<String> addresses) {
    /** The kinds of alternative names, by RFC 5280. */
    private static final int DNS_NAME = 2;

    private static final int IP_ADDRESS = 7;

    private static final Pattern COMMON_NAME = Pattern.compile("(?:^|,)CN=([^,\\\\\"+]+)");

    public CertificateNames {
        names = List.copyOf(names);
        addresses = List.copyOf(addresses);
    }

    static CertificateNames of(X509Certificate certificate) throws CertificateParsingException {
        List<String> names = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives == null) {
            // Clients that still accept such a certificate take the host from here.
            var common =
                    COMMON_NAME.matcher(certificate.getSubjectX500Principal().getName());
            if (common.find()) {
                names.add(common.group(1));
            }
        } else {
            for (List<?> each : alternatives) {
                if (each.get(0).equals(DNS_NAME)) {
                    names.add(each.get(1).toString());
                } else if (each.get(0).equals(IP_ADDRESS)) {
                    addresses.add(canonical(each.get(1).toString()));
                }
            }
        }
        return new CertificateNames(names, addresses);
    }

    /** Whether the certificate is valid for the host, a name or an address without brackets. */
    public boolean cover(String host) {
        return addresses.contains(canonical(host)) || names.stream().anyMatch(each -> covers(each, host));
    }

    private static boolean covers(String name, String host) {
        if (!name.startsWith("*.")) {
            return name.equalsIgnoreCase(host);
        }
        int dot = host.indexOf('.');
        return dot > 0
                && host.substring(dot)
                        .toLowerCase(Locale.ROOT)
                        .equals(name.substring(1).toLowerCase(Locale.ROOT));
    }

    /** The same for both ways to write an address of IPv6; a name stays as it is. */
    private static String canonical(String host) {
        if (!host.matches("[0-9.]+") && host.indexOf(':') < 0) {
            return host;
        }
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            return host;
        }
    }
}
