package dev.semel.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/** What the names of the members' certificates have in common: their O, OU and DC, in MongoDB's rule. */
record Organization(List<String> parts) {
    private static final Set<String> KINDS = Set.of("O", "OU", "DC");

    Organization {
        parts = List.copyOf(parts);
    }

    static Organization of(Path file, X509Certificate certificate) throws IOException {
        Organization found = of(certificate);
        if (found.parts.isEmpty()) {
            throw new IOException(
                    "the certificate in %s is of %s: a member's has to name O, OU or DC, the same as the other members', so that clients with certificates of the same authority are not taken for members"
                            .formatted(file, name(certificate)));
        }
        return found;
    }

    /** Without any, if the certificate names none. */
    static Organization of(X509Certificate certificate) {
        try {
            return new Organization(new LdapName(name(certificate))
                    .getRdns().stream()
                            .filter(each -> KINDS.contains(each.getType().toUpperCase(Locale.ROOT)))
                            .map(each -> each.getType().toUpperCase(Locale.ROOT) + "=" + each.getValue())
                            .sorted()
                            .toList());
        } catch (InvalidNameException e) {
            return new Organization(List.of());
        }
    }

    private static String name(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    @Override
    public String toString() {
        return parts.isEmpty() ? "neither O nor OU nor DC" : String.join(",", parts);
    }
}
