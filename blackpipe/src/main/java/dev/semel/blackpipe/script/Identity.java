package dev.semel.blackpipe.script;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The description that a scripted server sends in {@code hello}.
 *
 * @param setName null for a standalone server
 * @param hosts the members it knows, itself included
 * @param primary the member that it reports as primary; null for none
 * @param term of the election it knows of: drivers believe the primary of the later one
 */
public record Identity(
        Standing standing,
        @Nullable String setName,
        String me,
        List<String> hosts,
        @Nullable String primary,
        int term) {
    /** The type of a server. */
    public enum Standing {
        STANDALONE,
        PRIMARY,
        SECONDARY,
        /** A member that allows neither reads nor writes, for example during startup or recovery. */
        OTHER,
        /** A mongos. */
        ROUTER
    }

    public Identity {
        hosts = List.copyOf(hosts);
    }

    static Identity onlyMember(String me) {
        return new Identity(Standing.PRIMARY, "rs0", me, List.of(me), me, 1);
    }

    public Identity as(Standing chosen) {
        return new Identity(chosen, setName, me, hosts, primary, term);
    }

    public Identity knowing(@Nullable String chosenPrimary, int chosenTerm) {
        return new Identity(standing, setName, me, hosts, chosenPrimary, chosenTerm);
    }

    public Identity inSet(String name) {
        return new Identity(standing, name, me, hosts, primary, term);
    }

    /** Writes the type's fields of {@code hello}. */
    void describe(BsonWriter hello, boolean legacy) {
        boolean writable =
                standing == Standing.PRIMARY || standing == Standing.STANDALONE || standing == Standing.ROUTER;
        hello.put(legacy ? "ismaster" : "isWritablePrimary", writable);
        if (standing == Standing.ROUTER) {
            hello.put("msg", "isdbgrid");
        }
        if (setName == null || standing == Standing.STANDALONE || standing == Standing.ROUTER) {
            return;
        }
        hello.put("secondary", standing == Standing.SECONDARY)
                .put("setName", setName)
                .put("setVersion", 1);
        hello.startArray("hosts");
        hosts.forEach(hello::add);
        hello.end().put("me", me);
        if (primary != null) {
            hello.put("primary", primary);
        }
        if (standing == Standing.PRIMARY) {
            hello.put("electionId", new Value.Oid(new ObjectId(0x7fffffff, term)));
        }
    }
}
