package dev.semel.server.commands;

import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.statement.WriteReply;
import dev.semel.server.statement.Writes;
import java.util.List;

/** {@code insert}: adds documents to a collection, which comes into being with its first one. */
final class Insert implements Command<WriteArgs> {
    private final Writes writes;

    Insert(Writes writes) {
        this.writes = writes;
    }

    @Override
    public Spec spec() {
        return Spec.write("insert").with(Trait.COUNTS_ITSELF, Trait.RESTARTABLE).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public WriteArgs parse(Arguments in) {
        return WriteArgs.insert(in);
    }

    @Override
    public List<Privilege> demands(WriteArgs args, Call call) {
        return WriteRights.of(args.statements());
    }

    @Override
    public Reply run(WriteArgs args, Call call) {
        return WriteReply.of(writes.run(args.statements(), args.ordered(), call), false);
    }
}
