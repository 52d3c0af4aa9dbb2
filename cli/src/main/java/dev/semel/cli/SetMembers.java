package dev.semel.cli;

import dev.semel.cluster.MemberSecurity;
import dev.semel.cluster.SetOptions;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members of the replica set, if it has several; what is wrong with them becomes a problem of what was asked. */
final class SetMembers {
    private SetMembers() {}

    static @Nullable SetOptions read(StartOptions asked, @Nullable MemberSecurity security) {
        var members = asked.list(StartOption.MEMBERS);
        if (members.isEmpty()) {
            return null;
        }
        var where = asked.source(StartOption.MEMBERS);
        if (asked.isMemory() || asked.is(StartOption.STANDALONE)) {
            asked.problem(where + " needs --dbpath: a member that forgets what it has promised can lose writes of all");
            return null;
        }
        for (var each : members) {
            if (!each.matches("[^:]+:[0-9]{1,5}")) {
                asked.problem(where + " names '" + each + "', which is not HOST:PORT");
                return null;
            }
        }
        if (members.stream().map(SetMembers::isLoopback).distinct().count() > 1) {
            asked.problem(where + " names loopback addresses and others: a loopback address is another machine for each"
                    + " member. Give all of them names under which every member reaches them");
            return null;
        }
        if (Set.copyOf(members).size() < members.size()) {
            asked.problem(where + " names two members with the same address: each has its own HOST:PORT");
            return null;
        }
        var advertised = asked.text(StartOption.ADVERTISE);
        var port = ":" + asked.integer(StartOption.PORT);
        var own = members.stream()
                .filter(each -> advertised.isEmpty() ? each.endsWith(port) : each.equals(advertised))
                .toList();
        if (own.isEmpty() && !advertised.isEmpty()) {
            asked.problem(where + " does not name this server, " + advertised + " by "
                    + asked.source(StartOption.ADVERTISE) + ": correct one of them");
            return null;
        }
        if (own.size() != 1) {
            asked.problem(where + " must name this server once, by its port" + port
                    + "; if several members have that port, say which one is this by --advertise HOST:PORT");
            return null;
        }
        try {
            return new SetOptions(
                    asked.text(StartOption.REPLICA_SET),
                    members,
                    own.getFirst(),
                    Path.of(asked.text(StartOption.DB_PATH), SetOptions.FOLDER),
                    SetOptions.ELECTION_TIMEOUT,
                    security);
        } catch (IllegalArgumentException e) {
            asked.problem(where + ": " + e.getMessage());
            return null;
        }
    }

    /** Without asking DNS: names that are unknown here are reported at the start. */
    private static boolean isLoopback(String member) {
        return member.matches("(localhost|127\\.[0-9.]+):[0-9]+");
    }
}
