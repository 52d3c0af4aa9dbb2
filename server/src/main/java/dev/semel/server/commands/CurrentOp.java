package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Excerpt;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.RunningOperations;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.Set;
import java.util.function.Supplier;

/** {@code currentOp}: the operations that run now. Fields beside {@code $all} and {@code $ownOps} are a filter on them. */
final class CurrentOp implements Command<CurrentOp.Args> {
    private static final Set<String> OF_EVERY_COMMAND =
            Set.of("lsid", "readConcern", "writeConcern", "maxTimeMS", "comment", "apiVersion", "apiStrict");

    private final RunningOperations operations;
    private final Supplier<Environment> environments;

    record Args(boolean all, Filter filter) {}

    CurrentOp(RunningOperations operations, Supplier<Environment> environments) {
        this.operations = operations;
        this.environments = environments;
    }

    @Override
    public Spec spec() {
        return Spec.of("currentOp").with(Spec.Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.inprog));
    }

    @Override
    public Args parse(Arguments in) {
        BsonWriter filter = new BsonWriter();
        for (Element field : in.document()) {
            String name = field.name();
            boolean isFilter = !name.equals("currentOp") && !name.startsWith("$") && !OF_EVERY_COMMAND.contains(name);
            if (isFilter && in.mentions(name)) {
                filter.put(name, field.value());
            }
        }
        boolean all = in.bool("$all", false);
        // Without access control every operation is one's own.
        in.ignored("$ownOps");
        return new Args(all, Filters.parse(filter.finish(), new FilterScope(environments.get())));
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter().startArray("inprog");
        for (RawDocument operation : operations.describe(args.all(), true, Excerpt.SHORT_BYTES_MAX)) {
            if (args.filter().matches(operation)) {
                out.add(operation);
            }
        }
        out.end();
        if (operations.isLocked()) {
            out.put("fsyncLock", true).put("info", "use db.fsyncUnlock() to terminate the fsync write/snapshot lock");
        }
        return Reply.of(out);
    }
}
