package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.status.ProcessInfo;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/** {@code getCmdLineOpts}: how the server was started. */
final class GetCmdLineOpts implements Command<GetCmdLineOpts.Args> {
    /** Nothing to say. */
    record Args() {}

    private final ProcessInfo process;
    private final ReplicaSet replicaSet;

    GetCmdLineOpts(ProcessInfo process, ReplicaSet replicaSet) {
        this.process = process;
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.of("getCmdLineOpts").with(Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.getCmdLineOpts));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter().startArray("argv");
        process.arguments().forEach(reply::add);
        // Libraries look here for whether they may use transactions, however the server came to be a member.
        String name = replicaSet.name();
        boolean isNamed = process.arguments().stream().anyMatch(GetCmdLineOpts::namesReplicaSet);
        if (name != null && !isNamed) {
            reply.add("--replSet").add(name);
        }
        return Reply.of(reply.end().put("parsed", parsed(name)));
    }

    private static boolean namesReplicaSet(String argument) {
        return argument.equals("--replSet") || argument.startsWith("--replSet=");
    }

    private RawDocument parsed(@Nullable String replicaSetName) {
        RawDocument given = process.options();
        if (replicaSetName == null || given.has("replication")) {
            return given;
        }
        return new BsonWriter()
                .copyAll(given)
                .startDocument("replication")
                .put("replSet", replicaSetName)
                .end()
                .finish();
    }
}
