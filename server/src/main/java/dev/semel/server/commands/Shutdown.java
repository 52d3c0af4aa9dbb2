package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;

/** {@code shutdown}: ends the server. The answer is that the connection closes. */
final class Shutdown implements Command<Shutdown.Args> {
    /** Nothing that would make a difference to a server without others. */
    record Args() {}

    private final Runnable stop;

    /** The runnable returns before the server has ended, or it would wait for this very command. */
    Shutdown(Runnable stop) {
        this.stop = stop;
    }

    @Override
    public Spec spec() {
        return Spec.of("shutdown")
                .with(Trait.ADMIN_ONLY, Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.shutdown));
    }

    @Override
    public Args parse(Arguments in) {
        in.bool("force", false);
        in.nonNegative("timeoutSecs", 0);
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        stop.run();
        return Reply.closeConnection();
    }
}
