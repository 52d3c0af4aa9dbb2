package dev.semel.server.commands;

import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.Batch;
import dev.semel.server.cursor.Cursors;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;

/** {@code getMore}: the next batch of a cursor. */
final class GetMore implements Command<GetMore.Args> {
    record Args(long cursor, Namespace collection, Batch batch) {}

    private final Cursors cursors;

    GetMore(Cursors cursors) {
        this.cursors = cursors;
    }

    @Override
    public Spec spec() {
        return Spec.of("getMore")
                .with(Trait.IN_TRANSACTION, Trait.OWN_MAX_TIME, Trait.COUNTS_ITSELF, Trait.INHERITS_READ_CONCERN)
                .needs(Rights.USERS);
    }

    @Override
    public Args parse(Arguments in) {
        Value cursor = in.required("getMore");
        if (!(cursor instanceof Value.Int64(long id))) {
            throw in.wrongType("getMore", cursor, "'long'");
        }
        // Used between members of a replica set.
        in.ignored("lastKnownCommittedOpTime", "term");
        in.required("collection");
        long size = in.nonNegative("batchSize", 0);
        return new Args(id, in.collection("collection"), size == 0 ? Batch.WHATEVER_FITS : new Batch(size));
    }

    /** What was needed to open the cursor, for it may no longer be granted. */
    @Override
    public List<Privilege> demands(Args args, Call call) {
        return cursors.demands(args.cursor());
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        call.count(call.counters().getMores);
        BsonWriter reply = new BsonWriter();
        boolean hasMore = cursors.more(reply, args.cursor(), args.collection(), args.batch(), call);
        Reply batch = Reply.of(reply);
        // To a client that allows it the batches follow each other without being asked for.
        return hasMore && call.mayStream() ? batch.then(call.command().detached(), kill(args)) : batch;
    }

    private static RawDocument kill(Args args) {
        BsonWriter command =
                new BsonWriter().put("killCursors", args.collection().collection());
        command.startArray("cursors").add(Value.of(args.cursor())).end();
        return command.put("$db", args.collection().database()).finish();
    }
}
