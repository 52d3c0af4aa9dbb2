package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.CommandTable;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;
import java.util.function.Supplier;

/** {@code listCommands}: what the server understands. */
final class ListCommands implements Command<ListCommands.Args> {
    private final Supplier<CommandTable> table;

    record Args() {}

    /** The table is asked for when the command runs: it contains the command. */
    ListCommands(Supplier<CommandTable> table) {
        this.table = table;
    }

    @Override
    public Spec spec() {
        return Spec.of("listCommands").needs(Rights.ANYBODY);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter().startDocument("commands");
        for (CommandTable.Entry entry : table.get().entries()) {
            Spec spec = entry.spec();
            out.startDocument(spec.name())
                    .put("help", "")
                    .put("requiresAuth", false)
                    .put("secondaryOk", !spec.is(Spec.Trait.WRITES))
                    .put("adminOnly", spec.is(Spec.Trait.ADMIN_ONLY));
            out.startArray("aliases");
            spec.aliases().forEach(out::add);
            out.end().end();
        }
        return Reply.of(out.end());
    }
}
