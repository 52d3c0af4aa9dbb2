package dev.semel.driver.setting;

import java.util.Arrays;
import java.util.Optional;

/** Authentication mechanisms, by their names in SASL and connection strings. */
public enum AuthenticationMechanism {
    SCRAM_SHA_1("SCRAM-SHA-1"),
    SCRAM_SHA_256("SCRAM-SHA-256"),
    PLAIN("PLAIN"),
    MONGODB_X509("MONGODB-X509"),
    GSSAPI("GSSAPI"),
    MONGODB_AWS("MONGODB-AWS"),
    MONGODB_OIDC("MONGODB-OIDC");

    private final String label;

    AuthenticationMechanism(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public static Optional<AuthenticationMechanism> named(String name) {
        return Arrays.stream(values()).filter(each -> each.label.equals(name)).findFirst();
    }
}
