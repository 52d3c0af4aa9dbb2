package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.Namespace;
import java.util.ArrayList;
import java.util.List;

/** {@code renameCollection}: another name, in another database too; the documents stay where they are. */
final class RenameCollection implements Command<RenameCollection.Args> {
    private final Ddl ddl;

    record Args(Namespace from, Namespace to, boolean dropTarget) {}

    RenameCollection(Ddl ddl) {
        this.ddl = ddl;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("renameCollection").with(Spec.Trait.ADMIN_ONLY).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        Args args = new Args(
                Namespace.parse(in.requiredString("renameCollection")),
                Namespace.parse(in.requiredString("to")),
                in.bool("dropTarget", false));
        in.ignored("stayTemp");
        in.notHonoured("collectionUUID", "encryptedFields");
        return args;
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        List<Privilege> demands = new ArrayList<>();
        if (args.from().database().equals(args.to().database())) {
            demands.add(Privilege.onCollection(args.from(), Action.renameCollectionSameDB));
            demands.add(Privilege.onCollection(args.to(), Action.renameCollectionSameDB));
        } else {
            demands.add(Privilege.onCollection(args.from(), Action.find, Action.dropCollection));
            demands.add(Privilege.onCollection(args.to(), Action.insert, Action.createIndex, Action.createCollection));
        }
        if (args.dropTarget()) {
            demands.add(Privilege.onCollection(args.to(), Action.dropCollection));
        }
        return demands;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.from());
        CatalogWork.result(ddl.rename(args.from(), args.to(), args.dropTarget(), CatalogWork.scope(call)), call);
        return Reply.ok();
    }
}
