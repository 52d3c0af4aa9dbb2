package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.User;
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
import dev.semel.wire.bson.BsonWriter;
import java.util.List;

/** {@code dropAllUsersFromDatabase}: the users of this database, all of them or, if that fails, none. */
final class DropAllUsersFromDatabase implements Command<DropAllUsersFromDatabase.Args> {
    record Args(String database) {}

    private final Users users;
    private final Writes writes;

    DropAllUsersFromDatabase(Users users, Writes writes) {
        this.users = users;
        this.writes = writes;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("dropAllUsersFromDatabase")
                .with(Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onDatabase(Action.dropUser));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.database());
    }

    @Override
    public Reply run(Args args, Call call) {
        int dropped = writes.single(call, transaction -> {
            List<UserName> names = users.all().stream()
                    .map(User::name)
                    .filter(each -> each.database().equals(args.database()))
                    .toList();
            names.forEach(each -> users.delete(transaction, each));
            return names.size();
        });
        users.changed();
        return Reply.of(new BsonWriter().put("n", dropped));
    }
}
