package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Credential;
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
import dev.semel.server.session.SessionId;
import dev.semel.server.statement.Writes;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.scram.ScramHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code createUser}: a new user may log in, and do what the roles allow. */
final class CreateUser implements Command<CreateUser.Args> {
    private static final List<ScramHash> BY_DEFAULT = List.of(ScramHash.values());

    /** The password is null for a user who is authenticated externally. */
    record Args(
            UserName name,
            @Nullable String password,
            List<ScramHash> mechanisms,
            Set<Role> roles,
            @Nullable RawDocument customData) {}

    private final Users users;
    private final Passwords passwords;
    private final Writes writes;
    private final Supplier<UUID> ids;

    CreateUser(Users users, Passwords passwords, Writes writes, Supplier<UUID> ids) {
        this.users = users;
        this.passwords = passwords;
        this.writes = writes;
        this.ids = ids;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("createUser")
                .with(Trait.OUTSIDE_TRANSACTION, Trait.CONFIDENTIAL)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        UserName name = UserArgs.name(in, "createUser");
        String password = in.string("pwd");
        boolean isExternal = name.database().equals(UserName.EXTERNAL);
        if (isExternal && password != null) {
            throw new CommandException(
                    ErrorCode.BadValue, "Cannot set the password for users defined on the '$external' database");
        }
        if (!isExternal && (password == null || password.isEmpty())) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    password == null
                            ? "Must provide a 'pwd' field for all user documents, except those with '$external' as the"
                                    + " user's source db"
                            : "Password cannot be empty");
        }
        List<ScramHash> mechanisms = UserArgs.mechanisms(in);
        UserArgs.refuseWhatIsMissing(in);
        RawDocument customData = in.optionalDocument("customData");
        return new Args(
                name,
                password,
                mechanisms.isEmpty() ? BY_DEFAULT : mechanisms,
                RoleNames.existing(in, "roles"),
                customData);
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        List<Privilege> demands = new ArrayList<>(RoleNames.demands(Action.grantRole, args.roles()));
        demands.add(Privilege.onDatabase(args.name().database(), Action.createUser));
        return demands;
    }

    @Override
    public Reply run(Args args, Call call) {
        Map<ScramHash, Credential> credentials = args.password() == null
                ? Map.of()
                : passwords.credentials(args.name(), args.password(), args.mechanisms());
        User user =
                new User(args.name(), SessionId.of(ids.get()).toValue(), credentials, args.roles(), args.customData());
        writes.single(call, transaction -> {
            users.insert(transaction, user);
            return user;
        });
        users.changed();
        return Reply.of(new BsonWriter());
    }
}
