package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Identity;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Privileges;
import dev.semel.server.auth.Resource;
import dev.semel.server.auth.User;
import dev.semel.server.auth.UserName;
import dev.semel.server.auth.Users;
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
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code usersInfo}: the users of a database, of all of them, or these. */
final class UsersInfo implements Command<UsersInfo.Args> {
    /**
     * What is asked for.
     *
     * @param database whose users; null for those of all databases, or if they are named
     * @param names null for all
     */
    record Args(
            @Nullable String database,
            @Nullable Set<UserName> names,
            boolean showCredentials,
            boolean showPrivileges,
            boolean showCustomData,
            Filter filter) {
        boolean includes(UserName name) {
            return names == null ? database == null || database.equals(name.database()) : names.contains(name);
        }
    }

    private final Users users;
    private final Supplier<Environment> environments;

    UsersInfo(Users users, Supplier<Environment> environments) {
        this.users = users;
        this.environments = environments;
    }

    @Override
    public Spec spec() {
        return Spec.of("usersInfo").with(Spec.Trait.READ_CONCERN).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        boolean showCredentials = in.bool("showCredentials", false);
        boolean showPrivileges = in.bool("showPrivileges", false);
        boolean showCustomData = in.bool("showCustomData", true);
        // There are no restrictions that could be shown.
        in.bool("showAuthenticationRestrictions", false);
        Filter filter = Filters.parse(in.documentOrEmpty("filter"), new FilterScope(environments.get()));
        Value which = in.required("usersInfo");
        String database = null;
        Set<UserName> names = null;
        switch (which) {
            case Value.Array(RawDocument all) -> names = names(in, all);
            case Value.Str text -> names = Set.of(name(in, text));
            case Value.Doc(RawDocument document) -> {
                if (!document.has("forAllDBs")) {
                    names = Set.of(name(in, which));
                }
            }
            case Value other -> {
                if (in.integer("usersInfo", 0) != 1) {
                    throw in.wrongType("usersInfo", other, "'[string, object, array]'");
                }
                database = in.database();
            }
        }
        return new Args(database, names, showCredentials, showPrivileges, showCustomData, filter);
    }

    private static Set<UserName> names(Arguments in, RawDocument all) {
        List<UserName> names = new ArrayList<>();
        for (var at = all.cursor(); at.next(); ) {
            names.add(name(in, at.value()));
        }
        return Set.copyOf(names);
    }

    private static UserName name(Arguments in, Value value) {
        return switch (value) {
            case Value.Str(var name) -> new UserName(name.toString(), in.database());
            case Value.Doc(RawDocument document) -> {
                Arguments fields = in.inner("usersInfo", document);
                UserName name = new UserName(fields.requiredString("user"), fields.requiredString("db"));
                fields.refuseUnknown();
                yield name;
            }
            case Value other -> throw in.wrongType("usersInfo", other, "'[string, object]'");
        };
    }

    /** Everybody may look at himself. */
    @Override
    public List<Privilege> demands(Args args, Call call) {
        if (args.names() == null) {
            return List.of(
                    args.database() == null
                            ? Privilege.on(Resource.allDatabases(), Action.viewUser)
                            : Privilege.onDatabase(args.database(), Action.viewUser));
        }
        Identity identity = call.client().identity();
        return args.names().stream()
                .filter(each -> identity == null || !each.equals(identity.name()))
                .map(UserName::database)
                .collect(Collectors.toSet())
                .stream()
                .map(each -> Privilege.onDatabase(each, Action.viewUser))
                .toList();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter().startArray("users");
        for (User user : users.all()) {
            if (args.includes(user.name())) {
                RawDocument described = describe(user, args);
                if (args.filter().matches(described)) {
                    reply.add(described);
                }
            }
        }
        return Reply.of(reply.end());
    }

    private static RawDocument describe(User user, Args args) {
        BsonWriter out = new BsonWriter().put("_id", user.name().id()).put("userId", user.id());
        user.name().writeTo(out);
        if (args.showCredentials()) {
            user.writeCredentials(out);
        }
        if (args.showCustomData() && user.customData() != null) {
            out.put("customData", user.customData());
        }
        User.writeRoles("roles", user.roles(), out);
        if (args.showPrivileges()) {
            User.writeRoles("inheritedRoles", user.roles(), out);
            out.startArray("inheritedPrivileges");
            Privileges.of(user.roles()).writeTo(out);
            out.end();
        }
        out.startArray("mechanisms");
        user.credentials().keySet().forEach(each -> out.add(each.mechanism()));
        out.end();
        return out.finish();
    }
}
