package dev.semel.cluster;

import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.server.status.Log;
import dev.semel.wire.bson.BsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the log says of elections: the first thing that is looked up after a failover. */
record RoleLog(Log events, String self) {
    void elected(@Nullable String leader, long term) {
        if (leader == null) {
            info("No primary is known", term(term));
        } else if (leader.equals(self)) {
            info("This member was elected and takes over", term(term));
        } else {
            info("Another member was elected", term(term).put("primary", leader));
        }
    }

    void primary(long term, long takeOverMillis) {
        info("This member is the primary", term(term).put("durationMillis", takeOverMillis));
    }

    /** It is tried again. */
    void notPrimaryYet(long term, String reason) {
        events.warning(
                Log.Component.REPL,
                "member",
                "This member cannot take over yet",
                term(term).put("reason", reason).finish());
    }

    void notPrimary(String reason) {
        info("This member is not the primary any more", new BsonWriter().put("reason", reason));
    }

    /** It is tried again until it succeeds. */
    void membersNotChanged(Membership wanted, String reason) {
        BsonWriter attributes = new BsonWriter();
        names(attributes.startArray("voters"), wanted.voters());
        names(attributes.startArray("learners"), wanted.learners());
        events.warning(
                Log.Component.REPL,
                "member",
                "The members cannot be changed yet",
                attributes.put("reason", reason).finish());
    }

    private static void names(BsonWriter array, List<Member> members) {
        members.forEach(each -> array.add(each.name()));
        array.end();
    }

    private static BsonWriter term(long term) {
        return new BsonWriter().put("term", term);
    }

    private void info(String message, BsonWriter attributes) {
        events.info(Log.Component.REPL, "member", message, attributes.finish());
    }
}
