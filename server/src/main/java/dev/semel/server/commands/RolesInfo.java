package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;

/** {@code rolesInfo}: the roles that somebody has defined. Nobody has. */
final class RolesInfo implements Command<RolesInfo.Args> {
    /** Nothing that would make a difference. */
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("rolesInfo").with(Spec.Trait.READ_CONCERN);
    }

    @Override
    public Args parse(Arguments in) {
        in.required("rolesInfo");
        if (in.bool("showBuiltinRoles", false)) {
            in.notHonoured("showBuiltinRoles");
        }
        in.optional("showPrivileges");
        in.bool("showAuthenticationRestrictions", false);
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.of(new BsonWriter().startArray("roles").end());
    }
}
