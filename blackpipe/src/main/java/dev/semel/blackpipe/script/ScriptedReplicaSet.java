package dev.semel.blackpipe.script;

import dev.semel.blackpipe.script.Identity.Standing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Scripted servers that simulate a replica set. The test chooses the primary, and may have two members report that they
 * are primary.
 */
public final class ScriptedReplicaSet implements AutoCloseable {
    private static final String NAME = "rs0";

    private final List<ScriptedServer> members;
    private int term;

    private ScriptedReplicaSet(List<ScriptedServer> members) {
        this.members = members;
    }

    /** Member 0 is the primary. */
    public static ScriptedReplicaSet start(int size) throws IOException {
        List<ScriptedServer> members = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            members.add(ScriptedServer.start());
        }
        ScriptedReplicaSet set = new ScriptedReplicaSet(List.copyOf(members));
        set.elect(0);
        return set;
    }

    public ScriptedServer member(int index) {
        return members.get(index);
    }

    public String uri() {
        return members.stream()
                .map(ScriptedServer::address)
                .collect(
                        Collectors.joining(",", "mongodb://", "/?replicaSet=" + NAME + "&" + ScriptedServer.HEARTBEAT));
    }

    /** Every member agrees that this one is the primary, in a new term. */
    public void elect(int index) {
        term++;
        announce(index);
    }

    /** Every member agrees that there is no primary. */
    public void stepDown() {
        announce(-1);
    }

    /** This member reports that it is primary, in a new term; the other members do not know of it. */
    public void elects(int index) {
        term++;
        ScriptedServer member = members.get(index);
        member.announce(identity(member, member.address()));
    }

    private void announce(int primary) {
        @Nullable String address = primary < 0 ? null : members.get(primary).address();
        members.forEach(member -> member.announce(identity(member, address)));
    }

    private Identity identity(ScriptedServer member, @Nullable String primary) {
        Standing standing = member.address().equals(primary) ? Standing.PRIMARY : Standing.SECONDARY;
        List<String> hosts = members.stream().map(ScriptedServer::address).toList();
        return new Identity(standing, NAME, member.address(), hosts, primary, term);
    }

    @Override
    public void close() throws IOException {
        for (ScriptedServer member : members) {
            member.close();
        }
    }
}
