package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Role;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** {@code grantRolesToUser} and {@code revokeRolesFromUser}: a user has these roles too, or no more. */
final class ChangeRoles implements Command<ChangeRoles.Args> {
    record Args(UserName name, Set<Role> roles) {}

    /** Which of the two commands it is. */
    enum Change {
        GRANT("grantRolesToUser", Action.grantRole),
        REVOKE("revokeRolesFromUser", Action.revokeRole);

        private final String command;
        private final Action action;

        Change(String command, Action action) {
            this.command = command;
            this.action = action;
        }

        Set<Role> of(Set<Role> before, Set<Role> named) {
            Set<Role> after = new LinkedHashSet<>(before);
            switch (this) {
                case GRANT -> after.addAll(named);
                case REVOKE -> after.removeAll(named);
            }
            return after;
        }
    }

    private final Change change;
    private final Users users;
    private final Writes writes;

    ChangeRoles(Change change, Users users, Writes writes) {
        this.change = change;
        this.users = users;
        this.writes = writes;
    }

    @Override
    public Spec spec() {
        return Spec.ddl(change.command).with(Trait.OUTSIDE_TRANSACTION).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        UserName name = new UserName(in.requiredString(change.command), in.database());
        return new Args(name, RoleNames.existing(in, "roles"));
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        return RoleNames.demands(change.action, args.roles());
    }

    @Override
    public Reply run(Args args, Call call) {
        writes.single(call, transaction -> {
            users.change(transaction, args.name(), before -> before.withRoles(change.of(before.roles(), args.roles())));
            return args;
        });
        users.changed();
        return Reply.ok();
    }
}
