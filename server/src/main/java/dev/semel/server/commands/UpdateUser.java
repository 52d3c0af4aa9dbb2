package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Credential;
import dev.semel.server.auth.Identity;
import dev.semel.server.auth.Passwords;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Role;
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
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.scram.ScramHash;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code updateUser}: another password, other roles, other data; what is not named stays. */
final class UpdateUser implements Command<UpdateUser.Args> {
    /** Null, and no mechanisms, for what stays. */
    record Args(
            UserName name,
            @Nullable String password,
            List<ScramHash> mechanisms,
            @Nullable Set<Role> roles,
            @Nullable RawDocument customData) {}

    private final Users users;
    private final Passwords passwords;
    private final Writes writes;

    UpdateUser(Users users, Passwords passwords, Writes writes) {
        this.users = users;
        this.passwords = passwords;
        this.writes = writes;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("updateUser")
                .with(Trait.OUTSIDE_TRANSACTION, Trait.CONFIDENTIAL)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        UserArgs.refuseWhatIsMissing(in);
        Args args = new Args(
                UserArgs.name(in, "updateUser"),
                in.string("pwd"),
                UserArgs.mechanisms(in),
                in.has("roles") ? RoleNames.existing(in, "roles") : null,
                in.optionalDocument("customData"));
        if (args.password() != null && args.password().isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "Password cannot be empty");
        }
        if (args.password() == null
                && args.mechanisms().isEmpty()
                && args.roles() == null
                && args.customData() == null) {
            throw new CommandException(ErrorCode.BadValue, "Must specify at least one field to update in updateUser");
        }
        return args;
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        String database = args.name().database();
        Identity identity = call.client().identity();
        boolean isOwn = identity != null && identity.name().equals(args.name());
        List<Privilege> demands = new ArrayList<>();
        if (args.password() != null || !args.mechanisms().isEmpty()) {
            demands.add(Privilege.onDatabase(database, isOwn ? Action.changeOwnPassword : Action.changePassword));
        }
        if (args.customData() != null) {
            demands.add(Privilege.onDatabase(database, isOwn ? Action.changeOwnCustomData : Action.changeCustomData));
        }
        if (args.roles() != null) {
            demands.add(Privilege.onDatabase(database, Action.revokeRole));
            demands.addAll(RoleNames.demands(Action.grantRole, args.roles()));
        }
        return demands;
    }

    @Override
    public Reply run(Args args, Call call) {
        writes.single(call, transaction -> {
            users.change(transaction, args.name(), before -> changed(before, args));
            return args;
        });
        users.changed();
        return Reply.ok();
    }

    private User changed(User before, Args args) {
        User after = before;
        if (args.password() != null) {
            List<ScramHash> mechanisms = args.mechanisms().isEmpty()
                    ? List.copyOf(before.credentials().keySet())
                    : args.mechanisms();
            after = after.withCredentials(passwords.credentials(args.name(), args.password(), mechanisms));
        } else if (!args.mechanisms().isEmpty()) {
            after = after.withCredentials(kept(before, args.mechanisms()));
        }
        if (args.roles() != null) {
            after = after.withRoles(args.roles());
        }
        return args.customData() == null ? after : after.withCustomData(args.customData());
    }

    /** Without the password there is nothing to make further credentials from. */
    private static Map<ScramHash, Credential> kept(User before, List<ScramHash> mechanisms) {
        if (!before.credentials().keySet().containsAll(mechanisms)) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "mechanisms field must be a subset of previously set mechanisms unless a password is given");
        }
        var kept = new EnumMap<>(before.credentials());
        kept.keySet().retainAll(mechanisms);
        return kept;
    }
}
