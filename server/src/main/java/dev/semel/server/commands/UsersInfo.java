package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;

/** {@code usersInfo}: the users. There are none yet, whoever is asked for. */
final class UsersInfo implements Command<UsersInfo.Args> {
    /** Nothing that would make a difference. */
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("usersInfo").with(Spec.Trait.READ_CONCERN);
    }

    @Override
    public Args parse(Arguments in) {
        in.required("usersInfo");
        in.bool("showCredentials", false);
        in.bool("showCustomData", false);
        in.bool("showPrivileges", false);
        in.bool("showAuthenticationRestrictions", false);
        in.optionalDocument("filter");
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.of(new BsonWriter().startArray("users").end());
    }
}
