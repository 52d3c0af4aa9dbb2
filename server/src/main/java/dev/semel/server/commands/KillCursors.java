package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Cursors.Killed;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code killCursors}: ends cursors whose remaining results are not needed. */
final class KillCursors implements Command<KillCursors.Args> {
    /** The collection is not among them: which one it was does not matter, but its database does. */
    record Args(String database, List<Long> cursors) {}

    private final Cursors cursors;

    KillCursors(Cursors cursors) {
        this.cursors = cursors;
    }

    @Override
    public Spec spec() {
        return Spec.of("killCursors").with(Trait.IN_TRANSACTION).needs(Rights.USERS);
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("killCursors");
        in.required("cursors");
        List<Long> ids = new ArrayList<>();
        for (Value each : in.array("cursors")) {
            if (!(each instanceof Value.Int64(long id))) {
                throw in.wrongType("cursors." + ids.size(), each, "'long'");
            }
            ids.add(id);
        }
        return new Args(collection.database(), ids);
    }

    /** Users may end their own. */
    @Override
    public List<Privilege> demands(Args args, Call call) {
        boolean isOwn = args.cursors().stream().allMatch(id -> cursors.isOwn(id, call));
        return isOwn ? List.of() : List.of(Privilege.onCluster(Action.killAnyCursor));
    }

    @Override
    public Reply run(Args args, Call call) {
        List<Long> killed = new ArrayList<>();
        List<Long> notFound = new ArrayList<>();
        for (long id : args.cursors()) {
            (cursors.kill(id, args.database()) == Killed.KILLED ? killed : notFound).add(id);
        }
        BsonWriter reply = new BsonWriter();
        add(reply, "cursorsKilled", killed);
        add(reply, "cursorsNotFound", notFound);
        add(reply, "cursorsAlive", List.of());
        add(reply, "cursorsUnknown", List.of());
        return Reply.of(reply);
    }

    private static void add(BsonWriter reply, String name, List<Long> ids) {
        reply.startArray(name);
        ids.forEach(id -> reply.add(Value.of(id)));
        reply.end();
    }
}
