package dev.semel.server.auth;

import dev.semel.wire.bson.Value;
import java.util.Set;

/**
 * The user that a client has authenticated as, and the user's privileges.
 *
 * @param userId of the user; a user who is later created with the same name has another one
 * @param asOf the state of the users that this was read from
 */
public record Identity(
        UserName name, Value userId, Set<Role> roles, Privileges privileges, UserDigest digest, long asOf) {
    static Identity of(User user, long asOf) {
        return new Identity(
                user.name(),
                user.id(),
                user.roles(),
                Privileges.of(user.roles()),
                user.name().digest(),
                asOf);
    }
}
