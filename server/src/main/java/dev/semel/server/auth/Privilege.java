package dev.semel.server.auth;

import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Things that may be done to a resource; also what a command demands, where each of them must be allowed. */
public record Privilege(Resource resource, Set<Action> actions) {
    public Privilege {
        actions = Set.copyOf(actions);
    }

    public static Privilege on(Resource resource, Action... actions) {
        return new Privilege(resource, Set.of(actions));
    }

    public static Privilege onCluster(Action... actions) {
        return on(Resource.cluster(), actions);
    }

    public static Privilege onDatabase(String database, Action... actions) {
        return on(Resource.database(database), actions);
    }

    public static Privilege onCollection(Namespace collection, Action... actions) {
        return on(Resource.collection(collection), actions);
    }

    boolean allows(Resource wanted, Action action) {
        return (actions.contains(action) || actions.contains(Action.anyAction)) && resource.covers(wanted);
    }

    /** As {@code connectionStatus} and {@code rolesInfo} show it. */
    public void writeTo(BsonWriter out) {
        resource.writeTo(out);
        out.startArray("actions");
        List<Action> sorted = List.copyOf(actions.isEmpty() ? Set.<Action>of() : EnumSet.copyOf(actions));
        sorted.forEach(each -> out.add(each.name()));
        out.end();
    }
}
