package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.failpoint.FailPoints;

/**
 * {@code waitForFailPoint}: returns when a fail point has been entered so often, counted from the start of the server as
 * {@code configureFailPoint} counts; or fails at its {@code maxTimeMS}.
 */
final class WaitForFailPoint implements Command<WaitForFailPoint.Args> {
    record Args(String name, long times) {}

    private final FailPoints points;

    WaitForFailPoint(FailPoints points) {
        this.points = points;
    }

    @Override
    public Spec spec() {
        return Spec.of("waitForFailPoint").with(Spec.Trait.ADMIN_ONLY).needs(Rights.USERS);
    }

    @Override
    public Args parse(Arguments in) {
        String name = in.requiredString("waitForFailPoint");
        in.required("timesEntered");
        long times = in.nonNegative("timesEntered", 0);
        FailPointData.checkName(name);
        return new Args(name, times);
    }

    @Override
    public Reply run(Args args, Call call) {
        points.awaitEntered(args.name(), args.times(), call.interruption());
        return Reply.ok();
    }
}
