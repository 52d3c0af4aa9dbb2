package dev.semel.server.auth;

import dev.semel.wire.bson.Value;
import java.util.Set;

/**
 * Who a client has proved to be, and what that allows.
 *
 * @param userId of the user; another user who later gets the same name is somebody else
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
