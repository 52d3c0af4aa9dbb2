package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;

/** {@code getDefaultRWConcern}: what applies to commands that name no concern. */
final class GetDefaultRwConcern implements Command<GetDefaultRwConcern.Args> {
    private final InstantSource clock;

    record Args() {}

    GetDefaultRwConcern(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Spec spec() {
        return Spec.of("getDefaultRWConcern")
                .with(Spec.Trait.ADMIN_ONLY)
                .needs(Rights.onCluster(Action.getDefaultRWConcern));
    }

    @Override
    public Args parse(Arguments in) {
        in.bool("inMemory", false);
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter();
        out.startDocument("defaultReadConcern").put("level", "local").end();
        out.startDocument("defaultWriteConcern")
                .put("w", "majority")
                .put("wtimeout", 0)
                .end();
        return Reply.of(out.put("defaultWriteConcernSource", "implicit")
                .put("defaultReadConcernSource", "implicit")
                .put("localUpdateWallClockTime", new Value.Date(clock.millis())));
    }
}
