package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.BuiltInRoles;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Role;
import dev.semel.server.command.Arguments;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Roles as commands name them: by name alone, in the command's database, or as {@code {role, db}}. */
final class RoleNames {
    private RoleNames() {}

    /** Of roles that exist; 31 otherwise. */
    static Set<Role> existing(Arguments in, String field) {
        in.required(field);
        Set<Role> roles = parse(in, field);
        for (Role each : roles) {
            if (!BuiltInRoles.exists(each)) {
                throw new CommandException(ErrorCode.RoleNotFound, "Could not find role: %s", each);
            }
        }
        return roles;
    }

    static Set<Role> parse(Arguments in, String field) {
        Set<Role> roles = new LinkedHashSet<>();
        for (Value each : in.array(field)) {
            roles.add(role(each, in, field));
        }
        return roles;
    }

    static Role role(Value value, Arguments in, String field) {
        return switch (value) {
            case Value.Str(var name) -> new Role(name.toString(), in.database());
            case Value.Doc(RawDocument document) -> {
                Arguments fields = in.inner(field, document);
                Role role = new Role(fields.requiredString("role"), fields.requiredString("db"));
                fields.refuseUnknown();
                yield role;
            }
            case Value other -> throw in.wrongType(field, other, "'[string, object]'");
        };
    }

    /** The privileges needed to grant or revoke these roles, in each role's database. */
    static List<Privilege> demands(Action action, Set<Role> roles) {
        List<Privilege> demands = new ArrayList<>();
        for (Role each : roles) {
            demands.add(Privilege.onDatabase(each.database(), action));
        }
        return demands;
    }
}
