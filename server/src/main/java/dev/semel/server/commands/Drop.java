package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.ProfileLevels;
import dev.semel.server.command.Profiler;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** {@code drop}: a collection, with its documents and indexes. One that does not exist is dropped already. */
final class Drop implements Command<Namespace> {
    private final Ddl ddl;
    private final ProfileLevels profileLevels;

    Drop(Ddl ddl, ProfileLevels profileLevels) {
        this.ddl = ddl;
        this.profileLevels = profileLevels;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("drop").needs(Rights.onCollection(Action.dropCollection));
    }

    @Override
    public Namespace parse(Arguments in) {
        Namespace collection = in.collection("drop");
        in.notHonoured("collectionUUID", "encryptedFields");
        return collection;
    }

    @Override
    public Reply run(Namespace collection, Call call) {
        call.worksOn(collection);
        if (collection.collection().equals(Profiler.COLLECTION)
                && profileLevels.of(collection.database()).level() > 0) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "turn off profiling before dropping system.profile collection");
        }
        Integer indexes = CatalogWork.<@Nullable Integer>result(ddl.drop(collection, CatalogWork.scope(call)), call);
        if (indexes == null) {
            return Reply.ok();
        }
        BsonWriter out = new BsonWriter();
        if (indexes > 0) {
            out.put("nIndexesWas", indexes);
        }
        return Reply.of(out.put("ns", collection.toString()));
    }
}
