package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.BuiltInRoles;
import dev.semel.server.auth.Identity;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Privileges;
import dev.semel.server.auth.Role;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code rolesInfo}: what roles there are and what they allow. All are built in: there are no user-defined ones yet. */
final class RolesInfo implements Command<RolesInfo.Args> {
    record Args(Set<Role> roles, boolean showPrivileges) {}

    @Override
    public Spec spec() {
        return Spec.of("rolesInfo").with(Spec.Trait.READ_CONCERN).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        boolean showBuiltIn = in.bool("showBuiltinRoles", false);
        in.bool("showAuthenticationRestrictions", false);
        boolean showPrivileges = in.bool("showPrivileges", false);
        Set<Role> roles = new LinkedHashSet<>();
        switch (in.required("rolesInfo")) {
            case Value.Array(RawDocument all) -> {
                for (var at = all.cursor(); at.next(); ) {
                    roles.add(RoleNames.role(at.value(), in, "rolesInfo"));
                }
            }
            case Value.Str name -> roles.add(RoleNames.role(name, in, "rolesInfo"));
            case Value.Doc name -> roles.add(RoleNames.role(name, in, "rolesInfo"));
            case Value other -> {
                if (in.integer("rolesInfo", 0) != 1) {
                    throw in.wrongType("rolesInfo", other, "'[string, object, array]'");
                }
                if (showBuiltIn) {
                    roles.addAll(builtIn(in.database()));
                }
            }
        }
        return new Args(roles, showPrivileges);
    }

    private static List<Role> builtIn(String database) {
        List<String> names = new ArrayList<>(BuiltInRoles.OF_DATABASES);
        if (database.equals("admin")) {
            names.addAll(BuiltInRoles.OF_ADMIN);
        }
        return names.stream().sorted().map(each -> new Role(each, database)).toList();
    }

    /** Users may look at their own roles. */
    @Override
    public List<Privilege> demands(Args args, Call call) {
        Identity identity = call.client().identity();
        List<Privilege> demands = new ArrayList<>();
        for (Role each : args.roles()) {
            if (identity == null || !identity.roles().contains(each)) {
                demands.add(Privilege.onDatabase(each.database(), Action.viewRole));
            }
        }
        return demands.isEmpty() && args.roles().isEmpty()
                ? List.of(Privilege.onDatabase(call.database(), Action.viewRole))
                : demands;
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter().startArray("roles");
        for (Role role : args.roles()) {
            if (BuiltInRoles.exists(role)) {
                reply.startDocument();
                describe(role, args.showPrivileges(), reply);
                reply.end();
            }
        }
        return Reply.of(reply.end());
    }

    private static void describe(Role role, boolean showPrivileges, BsonWriter out) {
        role.writeTo(out);
        out.put("isBuiltin", true);
        out.startArray("roles").end();
        out.startArray("inheritedRoles").end();
        if (showPrivileges) {
            Privileges privileges = Privileges.of(List.of(role));
            for (String field : List.of("privileges", "inheritedPrivileges")) {
                out.startArray(field);
                privileges.writeTo(out);
                out.end();
            }
        }
    }
}
