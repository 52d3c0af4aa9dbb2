package dev.semel.server.command;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Resource;
import dev.semel.wire.Namespace;
import java.util.List;
import java.util.Set;

/** What a caller must be allowed to do before a command runs. */
public record Rights(Scope scope, Set<Action> actions) {
    /** Every client. */
    public static final Rights ANYBODY = new Rights(Scope.ANYBODY, Set.of());

    /** Every authenticated client; what such a command touches belongs to its user in any case. */
    public static final Rights USERS = new Rights(Scope.USERS, Set.of());

    /** The command determines it from its arguments, by {@link Command#demands}. */
    public static final Rights BY_ARGUMENTS = new Rights(Scope.BY_ARGUMENTS, Set.of(Action.anyAction));

    /** The default, which allows no one: a forgotten declaration must not grant access. */
    public static final Rights UNDECLARED = new Rights(Scope.UNDECLARED, Set.of(Action.anyAction));

    /** On what the actions are allowed. */
    public enum Scope {
        ANYBODY,
        USERS,
        /** The collection that the command names. */
        COLLECTION,
        /** The database on which it runs. */
        DATABASE,
        /** The server as a whole. */
        CLUSTER,
        BY_ARGUMENTS,
        UNDECLARED
    }

    public static Rights onCollection(Action... actions) {
        return new Rights(Scope.COLLECTION, Set.of(actions));
    }

    public static Rights onDatabase(Action... actions) {
        return new Rights(Scope.DATABASE, Set.of(actions));
    }

    public static Rights onCluster(Action... actions) {
        return new Rights(Scope.CLUSTER, Set.of(actions));
    }

    List<Privilege> demands(Call call) {
        return switch (scope) {
            case ANYBODY, USERS -> List.of();
            case COLLECTION -> onCollections(call);
            case DATABASE -> List.of(new Privilege(Resource.database(call.database()), actions));
            case CLUSTER -> List.of(new Privilege(Resource.cluster(), actions));
            case BY_ARGUMENTS, UNDECLARED -> List.of(new Privilege(Resource.everything(), actions));
        };
    }

    private List<Privilege> onCollections(Call call) {
        List<String> names = Namespaces.of(call);
        if (names.isEmpty()) {
            return List.of(new Privilege(Resource.database(call.database()), actions));
        }
        return names.stream()
                .map(each -> new Privilege(Resource.collection(Namespace.parse(each)), actions))
                .toList();
    }
}
