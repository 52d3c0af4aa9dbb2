package dev.semel.server;

import dev.semel.server.tls.Tls;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Authentication, users and TLS.
 *
 * @param accessControl whether clients must authenticate
 * @param users to be created at the start if they do not exist
 * @param tls how connections are encrypted; null if they are not
 */
public record Security(
        boolean accessControl,
        List<NewUser> users,
        @Nullable Tls tls) {
    static final Security NONE = new Security(false, List.of(), null);

    public Security {
        users = List.copyOf(users);
    }

    /** A user of the database {@code admin}. */
    public record NewUser(String name, String password, List<String> roles) {
        /** Without secrets. */
        @Override
        public String toString() {
            return name + " " + roles;
        }
    }

    Security withAccessControl() {
        return new Security(true, users, tls);
    }

    Security with(NewUser user) {
        List<NewUser> all = new ArrayList<>(users);
        all.add(user);
        return new Security(accessControl, all, tls);
    }

    Security with(Tls encryption) {
        return new Security(accessControl, users, encryption);
    }
}
