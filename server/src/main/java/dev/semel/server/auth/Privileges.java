package dev.semel.server.auth;

import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Everything that a user may do. */
public final class Privileges {
    public static final Privileges NONE = new Privileges(List.of());
    public static final Privileges ALL = new Privileges(List.of(Privilege.on(Resource.everything(), Action.anyAction)));

    /** What a client on this machine may do while there is no user: create one, and begin the replica set that will have it. */
    public static final Privileges FIRST_USER = new Privileges(List.of(
            Privilege.onDatabase("admin", Action.createUser, Action.grantRole),
            Privilege.onCluster(Action.replSetConfigure, Action.replSetGetStatus)));

    private final List<Privilege> granted;

    private Privileges(List<Privilege> granted) {
        this.granted = granted;
    }

    /** What these roles allow together, each resource once. */
    public static Privileges of(Iterable<Role> roles) {
        Map<Resource, Set<Action>> merged = new LinkedHashMap<>();
        for (Role role : roles) {
            for (Privilege each : BuiltInRoles.privileges(role)) {
                merged.computeIfAbsent(each.resource(), fresh -> EnumSet.noneOf(Action.class))
                        .addAll(each.actions());
            }
        }
        return new Privileges(merged.entrySet().stream()
                .map(each -> new Privilege(each.getKey(), each.getValue()))
                .toList());
    }

    public boolean allow(Privilege demanded) {
        return demanded.actions().stream().allMatch(each -> allow(demanded.resource(), each));
    }

    public boolean allow(Resource resource, Action action) {
        for (Privilege each : granted) {
            if (each.allows(resource, action)) {
                return true;
            }
        }
        return false;
    }

    /** Whether anything may be done to the collection. */
    public boolean reach(Namespace collection) {
        Resource wanted = Resource.collection(collection);
        return granted.stream().anyMatch(each -> each.resource().covers(wanted));
    }

    /** Whether anything may be done to the database or something in it. */
    public boolean reach(String database) {
        return granted.stream().anyMatch(each -> each.resource().isIn(database));
    }

    /** As documents of an array that is open. */
    public void writeTo(BsonWriter out) {
        for (Privilege each : granted) {
            out.startDocument();
            each.writeTo(out);
            out.end();
        }
    }
}
