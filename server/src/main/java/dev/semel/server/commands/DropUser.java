package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.UserName;
import dev.semel.server.auth.Users;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.statement.Writes;

/** {@code dropUser}: removes a user; clients that are logged in as this user lose their authentication. */
final class DropUser implements Command<UserName> {
    private final Users users;
    private final Writes writes;

    DropUser(Users users, Writes writes) {
        this.users = users;
        this.writes = writes;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("dropUser").with(Trait.OUTSIDE_TRANSACTION).needs(Rights.onDatabase(Action.dropUser));
    }

    @Override
    public UserName parse(Arguments in) {
        return new UserName(in.requiredString("dropUser"), in.database());
    }

    @Override
    public Reply run(UserName name, Call call) {
        writes.single(call, transaction -> {
            users.delete(transaction, name);
            return name;
        });
        users.changed();
        return Reply.ok();
    }
}
