package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** {@code drop}: a collection, with its documents and indexes. One that does not exist is dropped already. */
final class Drop implements Command<Namespace> {
    private final Ddl ddl;

    Drop(Ddl ddl) {
        this.ddl = ddl;
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
