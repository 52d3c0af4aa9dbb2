package dev.semel.server.commands;

import dev.semel.server.auth.UserName;
import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A proof by a certificate, by {@code authenticate} or within {@code hello}.
 *
 * @param user null to be who the certificate says
 */
record CertificateArgs(@Nullable String user) {
    private static final String MECHANISM = "MONGODB-X509";

    static CertificateArgs parse(Arguments in, String database) {
        String mechanism = in.requiredString("mechanism");
        if (!mechanism.equals(MECHANISM)) {
            throw new CommandException(
                    ErrorCode.MechanismUnavailable,
                    "Received authentication for mechanism %s which is unknown or not enabled",
                    mechanism);
        }
        if (!database.equals(UserName.EXTERNAL)) {
            throw new CommandException(
                    ErrorCode.ProtocolError, "X.509 authentication must always use the $external database.");
        }
        return new CertificateArgs(in.string("user"));
    }
}
