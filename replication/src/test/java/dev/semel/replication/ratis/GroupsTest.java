package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several groups share the port of each member. */
class GroupsTest {
    private static final List<GroupId> GROUPS = IntStream.range(0, 4)
            .mapToObj(number -> new GroupId(new UUID(0x5e3e1, number)))
            .toList();

    @TempDir
    Path folder;

    private final List<Member> members = Stream.of("a", "b", "c")
            .map(name -> new Member(name, "127.0.0.1", LocalSet.freePort(), 0))
            .toList();
    private final Membership membership = new Membership(members, List.of());
    private final Map<String, ListState> states = new HashMap<>();

    @Test
    void fourGroupsOnOnePortAreIndependentAndComeBack() throws Exception {
        var written = new HashMap<GroupId, List<String>>();
        for (String phase : List.of("first", "second")) {
            var nodes = List.of(start(0), start(1), start(2));
            try {
                for (GroupId group : GROUPS) {
                    var engines = new ArrayList<ReplicationEngine>();
                    for (ReplicationNode node : nodes) {
                        engines.add(node.open(group, membership, state(engines.size(), group), failure -> {}));
                    }
                    var entries = written.computeIfAbsent(group, each -> new ArrayList<>());
                    entries.add(phase + " " + group);
                    write(engines, entries.getLast());
                    for (int i = 0; i < members.size(); i++) {
                        var state = state(i, group);
                        LocalSet.await("the entry", () -> state.entries().equals(entries));
                    }
                }
                var closed = GROUPS.getFirst();
                assertThatThrownBy(() -> nodes.getFirst().open(closed, membership, state(0, closed), failure -> {}))
                        .hasMessage("Group " + closed + " is open already");
            } finally {
                LocalSet.close(nodes);
            }
        }
    }

    @Test
    void groupIsClosedAndOpenedAgainBesideOthers() throws Exception {
        try (var a = start(0)) {
            var alone = Membership.of(members.getFirst());
            var one = a.open(GROUPS.get(0), alone, state(0, GROUPS.get(0)), failure -> {});
            var other = a.open(GROUPS.get(1), alone, state(0, GROUPS.get(1)), failure -> {});
            write(List.of(one), "before");
            one.close();
            write(List.of(other), "meanwhile");
            var again = a.open(GROUPS.get(0), alone, state(0, GROUPS.get(0)), failure -> {});
            write(List.of(again), "after");
            assertThat(state(0, GROUPS.get(0)).entries()).containsExactly("before", "after");
            assertThat(state(0, GROUPS.get(1)).entries()).containsExactly("meanwhile");
        }
    }

    private ReplicationNode start(int number) throws Exception {
        var member = members.get(number);
        return RatisNode.start(
                ReplicationOptions.of(member.name(), member.host(), member.port(), folder.resolve(member.name())));
    }

    private ListState state(int number, GroupId group) {
        return states.computeIfAbsent(number + " " + group, each -> new ListState());
    }

    private static void write(List<ReplicationEngine> engines, String entry) {
        LocalSet.await(
                "a write of " + entry,
                () -> engines.stream()
                        .filter(engine -> engine.role().isWritable())
                        .map(engine -> LocalSet.get(engine.propose(
                                entry.getBytes(StandardCharsets.UTF_8),
                                engine.role().writableTerm())))
                        .anyMatch(Outcome.Applied.class::isInstance));
    }
}
