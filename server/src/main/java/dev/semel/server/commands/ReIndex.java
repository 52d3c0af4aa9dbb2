package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.IndexSpec;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import java.util.List;

/** {@code reIndex}: makes all indexes of a collection anew; as in MongoDB, not on a member of a replica set. */
final class ReIndex implements Command<Namespace> {
    private final IndexBuilds builds;
    private final ReplicaSet replicaSet;

    ReIndex(IndexBuilds builds, ReplicaSet replicaSet) {
        this.builds = builds;
        this.replicaSet = replicaSet;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("reIndex").with(Spec.Trait.OUTSIDE_TRANSACTION).needs(Rights.onCollection(Action.reIndex));
    }

    @Override
    public Namespace parse(Arguments in) {
        return in.collection("reIndex");
    }

    @Override
    public Reply run(Namespace namespace, Call call) {
        call.worksOn(namespace);
        if (replicaSet.name() != null) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "reIndex is only allowed on a standalone mongod instance.");
        }
        List<IndexSpec> indexes = CatalogWork.result(builds.rebuild(namespace, call.interruption()), call);
        BsonWriter out = new BsonWriter()
                .put("nIndexesWas", indexes.size())
                .put("nIndexes", indexes.size())
                .startArray("indexes");
        indexes.forEach(each -> out.add(each.toDocument()));
        return Reply.of(out.end());
    }
}
