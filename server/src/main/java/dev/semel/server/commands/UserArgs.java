package dev.semel.server.commands;

import dev.semel.server.auth.UserName;
import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import java.util.ArrayList;
import java.util.List;

/** What the commands that make and change a user have in common. */
final class UserArgs {
    private UserArgs() {}

    /** Named in the command's first field; a user of the command's database. */
    static UserName name(Arguments in, String command) {
        String name = in.requiredString(command);
        if (name.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "Username cannot be empty");
        }
        if (in.database().equals("local")) {
            throw new CommandException(ErrorCode.BadValue, "Cannot create users in the local database");
        }
        return new UserName(name, in.database());
    }

    /** None if the client leaves it to us. */
    static List<ScramHash> mechanisms(Arguments in) {
        if (!in.has("mechanisms")) {
            return List.of();
        }
        List<ScramHash> hashes = new ArrayList<>();
        for (Value each : in.array("mechanisms")) {
            String name = each instanceof Value.Str(var text) ? text.toString() : "";
            hashes.add(ScramHash.named(name)
                    .orElseThrow(() -> new CommandException(ErrorCode.BadValue, "Unknown auth mechanism '%s'", name)));
        }
        if (hashes.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "mechanisms field must not be empty");
        }
        return hashes;
    }

    static void refuseWhatIsMissing(Arguments in) {
        if (!in.bool("digestPassword", true)) {
            in.notHonoured("digestPassword");
        }
        if (!in.array("authenticationRestrictions").isEmpty()) {
            in.notHonoured("authenticationRestrictions");
        }
    }
}
