package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.failpoint.FailPoint;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.failpoint.Mode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;

/** {@code configureFailPoint}: makes this server fail in a chosen place. Only where test commands are enabled. */
final class ConfigureFailPoint implements Command<ConfigureFailPoint.Args> {
    record Args(FailPoint point, Mode mode) {}

    private final FailPoints points;

    ConfigureFailPoint(FailPoints points) {
        this.points = points;
    }

    @Override
    public Spec spec() {
        return Spec.of("configureFailPoint").with(Spec.Trait.ADMIN_ONLY).needs(Rights.USERS);
    }

    @Override
    public Args parse(Arguments in) {
        String name = in.requiredString("configureFailPoint");
        Mode mode = FailPointModes.parse(in);
        RawDocument given = in.optionalDocument("data");
        Arguments data = in.inner("data", given == null ? RawDocument.EMPTY : given);
        FailPoint point = FailPointData.parse(name, data);
        data.refuseUnknown();
        return new Args(point, mode);
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.of(new BsonWriter().put("count", points.set(args.point(), args.mode())));
    }
}
