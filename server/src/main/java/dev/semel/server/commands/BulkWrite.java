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
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Opening;
import dev.semel.server.statement.BulkReply;
import dev.semel.server.statement.Results;
import dev.semel.server.statement.Writes;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import java.util.List;

/** {@code bulkWrite}: inserts, updates and deletes of several collections in one command. */
final class BulkWrite implements Command<BulkWriteArgs> {
    /** By which the rest of the results is asked for. */
    private static final Namespace RESULTS = new Namespace("admin", "$cmd.bulkWrite");

    private final Writes writes;
    private final Cursors cursors;

    BulkWrite(Writes writes, Cursors cursors) {
        this.writes = writes;
        this.cursors = cursors;
    }

    @Override
    public Spec spec() {
        return Spec.write("bulkWrite")
                .with(Trait.ADMIN_ONLY, Trait.COUNTS_ITSELF)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public BulkWriteArgs parse(Arguments in) {
        return BulkWriteArgs.parse(in);
    }

    @Override
    public List<Privilege> demands(BulkWriteArgs args, Call call) {
        return WriteRights.of(args.statements());
    }

    @Override
    public Reply run(BulkWriteArgs args, Call call) {
        Results results = writes.run(args.statements(), args.ordered(), call);
        BulkReply bulk = new BulkReply(results, args.statements(), args.errorsOnly());
        Long batchSize = args.batchSize();
        Batch first = batchSize == null ? Batch.WHATEVER_FITS : new Batch(batchSize);
        BsonWriter reply = new BsonWriter();
        cursors.open(reply, Opening.of(RESULTS, first), new Collected(bulk.results()), call);
        bulk.writeSums(reply);
        results.writeRetried(reply);
        return Reply.of(reply);
    }
}
