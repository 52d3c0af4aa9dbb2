package dev.semel.driver.setting;

import static dev.semel.driver.setting.AuthenticationMechanism.GSSAPI;
import static dev.semel.driver.setting.AuthenticationMechanism.MONGODB_AWS;
import static dev.semel.driver.setting.AuthenticationMechanism.MONGODB_OIDC;
import static dev.semel.driver.setting.AuthenticationMechanism.MONGODB_X509;
import static dev.semel.driver.setting.AuthenticationMechanism.PLAIN;
import static dev.semel.driver.setting.AuthenticationMechanism.SCRAM_SHA_1;
import static dev.semel.driver.setting.AuthenticationMechanism.SCRAM_SHA_256;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The credential of a client. Without a mechanism, the best one that the server has for the user is negotiated. */
public record MongoCredential(
        @Nullable String userName,
        @Nullable String password,
        String source,
        @Nullable AuthenticationMechanism mechanism,
        Map<String, String> properties) {
    private static final String EXTERNAL = "$external";
    private static final Set<String> OIDC_PROPERTIES = Set.of("ENVIRONMENT", "TOKEN_RESOURCE");

    public MongoCredential {
        properties = Map.copyOf(properties);
        if (mechanism == null || mechanism == SCRAM_SHA_1 || mechanism == SCRAM_SHA_256 || mechanism == PLAIN) {
            require(userName != null && !userName.isEmpty(), mechanism, "needs a user name");
        }
        if (mechanism == SCRAM_SHA_1 || mechanism == SCRAM_SHA_256 || mechanism == PLAIN) {
            require(password != null, mechanism, "needs a password");
        }
        if (mechanism == GSSAPI) {
            checkGssapi(userName, source, properties);
        } else if (mechanism == MONGODB_X509) {
            require(password == null, mechanism, "does not take a password");
            require(source.equals(EXTERNAL), mechanism, "needs $external as the source");
        } else if (mechanism == MONGODB_AWS) {
            require(
                    (userName == null) == (password == null),
                    mechanism,
                    "needs both a user name and a password, or none");
            require(
                    userName != null || !properties.containsKey("AWS_SESSION_TOKEN"),
                    mechanism,
                    "takes a session token only with a user name");
        } else if (mechanism == MONGODB_OIDC) {
            checkOidc(userName, password, properties);
        }
    }

    public static MongoCredential createCredential(String userName, String source, String password) {
        return new MongoCredential(userName, password, source, null, Map.of());
    }

    public static MongoCredential createCredential(String userName, String source, char[] password) {
        return createCredential(userName, source, new String(password));
    }

    public static MongoCredential createScramSha1Credential(String userName, String source, String password) {
        return new MongoCredential(userName, password, source, SCRAM_SHA_1, Map.of());
    }

    public static MongoCredential createScramSha1Credential(String userName, String source, char[] password) {
        return createScramSha1Credential(userName, source, new String(password));
    }

    public static MongoCredential createScramSha256Credential(String userName, String source, String password) {
        return new MongoCredential(userName, password, source, SCRAM_SHA_256, Map.of());
    }

    public static MongoCredential createScramSha256Credential(String userName, String source, char[] password) {
        return createScramSha256Credential(userName, source, new String(password));
    }

    public static MongoCredential createPlainCredential(String userName, String source, String password) {
        return new MongoCredential(userName, password, source, PLAIN, Map.of());
    }

    public static MongoCredential createPlainCredential(String userName, String source, char[] password) {
        return createPlainCredential(userName, source, new String(password));
    }

    public static MongoCredential createMongoX509Credential(@Nullable String userName) {
        return new MongoCredential(userName, null, EXTERNAL, MONGODB_X509, Map.of());
    }

    /** The user is the subject of the certificate. */
    public static MongoCredential createMongoX509Credential() {
        return createMongoX509Credential(null);
    }

    /** The default database in which a mechanism looks users up. */
    static String defaultSource(@Nullable AuthenticationMechanism mechanism, @Nullable String database) {
        if (mechanism == GSSAPI || mechanism == MONGODB_X509 || mechanism == MONGODB_AWS || mechanism == MONGODB_OIDC) {
            return EXTERNAL;
        }
        if (database != null) {
            return database;
        }
        return mechanism == PLAIN ? EXTERNAL : "admin";
    }

    private static void checkGssapi(@Nullable String userName, String source, Map<String, String> properties) {
        require(userName != null, GSSAPI, "needs a user name");
        require(source.equals(EXTERNAL), GSSAPI, "needs $external as the source");
        require(
                Set.of("none", "forward", "forwardAndReverse", "true", "false")
                        .contains(properties.getOrDefault("CANONICALIZE_HOST_NAME", "none")),
                GSSAPI,
                "does not know this value of CANONICALIZE_HOST_NAME");
    }

    private static void checkOidc(
            @Nullable String userName, @Nullable String password, Map<String, String> properties) {
        require(password == null, MONGODB_OIDC, "does not take a password");
        require(OIDC_PROPERTIES.containsAll(properties.keySet()), MONGODB_OIDC, "knows only " + OIDC_PROPERTIES);
        boolean hasResource = properties.containsKey("TOKEN_RESOURCE");
        switch (properties.get("ENVIRONMENT")) {
            case "test", "k8s" -> {
                require(userName == null, MONGODB_OIDC, "does not take a user name in this environment");
                require(!hasResource, MONGODB_OIDC, "does not take TOKEN_RESOURCE in this environment");
            }
            case "azure" -> require(hasResource, MONGODB_OIDC, "needs TOKEN_RESOURCE in this environment");
            case "gcp" -> {
                require(userName == null, MONGODB_OIDC, "does not take a user name in this environment");
                require(hasResource, MONGODB_OIDC, "needs TOKEN_RESOURCE in this environment");
            }
            case null, default -> require(false, MONGODB_OIDC, "needs an ENVIRONMENT it knows");
        }
    }

    private static void require(boolean holds, @Nullable AuthenticationMechanism mechanism, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(
                    (mechanism == null ? "A credential" : "Authentication mechanism " + mechanism.label()) + " "
                            + rule);
        }
    }

    /** The part that this driver does not support: the mechanism, or properties that it does not accept. Usually null. */
    public @Nullable String unsupported() {
        if (mechanism == GSSAPI || mechanism == MONGODB_AWS || mechanism == MONGODB_OIDC) {
            return "Authentication mechanism " + mechanism.label() + " is not supported by this driver";
        }
        return properties.isEmpty()
                ? null
                : "Authentication mechanism " + (mechanism == null ? "SCRAM" : mechanism.label())
                        + " takes no properties (authMechanismProperties), found " + properties.keySet();
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "MongoCredential[userName=" + userName + ", source=" + source + ", mechanism="
                + (mechanism == null ? "default" : mechanism.label()) + "]";
    }
}
