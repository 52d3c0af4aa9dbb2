package dev.semel.replication;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The members of a group: voters elect and acknowledge, learners only receive the log. */
public record Membership(List<Member> voters, List<Member> learners) {
    public Membership {
        voters = List.copyOf(voters);
        learners = List.copyOf(learners);
        var names = new HashSet<String>();
        Stream.concat(voters.stream(), learners.stream()).forEach(member -> {
            if (!names.add(member.name())) {
                throw new IllegalArgumentException("Two members have the name " + member.name());
            }
        });
    }

    public static Membership of(Member... voters) {
        return new Membership(List.of(voters), List.of());
    }

    /**
     * The state of a member that is added to a group: it does not vote, and asks for no election, until it learns the other
     * members from the leader.
     */
    public static Membership joining(Member self) {
        return new Membership(List.of(), List.of(self));
    }

    /** The same with only those voters that have one of the names. */
    public Membership voting(Set<String> names) {
        return new Membership(
                voters.stream().filter(each -> names.contains(each.name())).toList(), learners);
    }

    /** Whatever the order in which members are named. */
    public boolean isSameAs(Membership other) {
        return Set.copyOf(voters).equals(Set.copyOf(other.voters))
                && Set.copyOf(learners).equals(Set.copyOf(other.learners));
    }

    public Stream<Member> all() {
        return Stream.concat(voters.stream(), learners.stream());
    }
}
