package dev.semel.server;

import java.util.ArrayList;
import java.util.List;

/**
 * Who is let in, and how.
 *
 * @param accessControl whether clients have to prove who they are
 * @param users to be made at the start if they do not exist
 */
public record Security(boolean accessControl, List<NewUser> users) {
    static final Security NONE = new Security(false, List.of());

    public Security {
        users = List.copyOf(users);
    }

    /** A user of the database {@code admin}. */
    public record NewUser(String name, String password, List<String> roles) {
        /** Without what must not be shown. */
        @Override
        public String toString() {
            return name + " " + roles;
        }
    }

    Security withAccessControl() {
        return new Security(true, users);
    }

    Security with(NewUser user) {
        List<NewUser> all = new ArrayList<>(users);
        all.add(user);
        return new Security(accessControl, all);
    }
}
