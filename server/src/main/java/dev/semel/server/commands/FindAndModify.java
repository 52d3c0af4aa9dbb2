package dev.semel.server.commands;

import dev.semel.query.filter.Filter;
import dev.semel.query.projection.Projection;
import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.ExecutorError;
import dev.semel.server.statement.Change;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Statements;
import dev.semel.server.statement.Statements.Image;
import dev.semel.server.statement.Target;
import dev.semel.server.statement.Targets;
import dev.semel.server.statement.Writes;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code findAndModify}: changes or removes one document and answers with it. */
final class FindAndModify implements Command<FindAndModifyArgs> {
    private final Writes writes;
    private final Statements statements;
    private final Targets targets;
    private final Scopes scopes;

    FindAndModify(Writes writes, Statements statements, Targets targets, Scopes scopes) {
        this.writes = writes;
        this.statements = statements;
        this.targets = targets;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.write("findAndModify")
                .alias("findandmodify")
                .with(Trait.RESTARTABLE)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public FindAndModifyArgs parse(Arguments in) {
        return FindAndModifyArgs.parse(in);
    }

    @Override
    public List<Privilege> demands(FindAndModifyArgs args, Call call) {
        return args.demands();
    }

    @Override
    public Reply run(FindAndModifyArgs args, Call call) {
        call.worksOn(args.collection());
        Value modification = args.modification();
        return modification == null ? remove(args, call) : update(args, modification, call);
    }

    private Reply remove(FindAndModifyArgs args, Call call) {
        Target target = targets.parse(args.toDelete(), call);
        Projection projection = projection(args, target.filter(), call);
        return answered(args, call, transaction -> {
            RawDocument removed = statements
                    .remove(transaction, args.collection(), target, call)
                    .before();
            BsonWriter reply = new BsonWriter().startDocument("lastErrorObject");
            reply.put("n", removed == null ? 0 : 1).end();
            if (removed != null) {
                call.count(call.counters().documentsDeleted);
            }
            return value(reply, removed, projection, call);
        });
    }

    /** Errors that are found only with the document at hand are errors of the executor; conflicts are not. */
    private Reply answered(FindAndModifyArgs args, Call call, Function<Transaction, BsonWriter> work) {
        return writes.answered(call, args::fingerprint, transaction -> {
            try {
                return work.apply(transaction);
            } catch (CommandException e) {
                boolean isConflict =
                        e.code().equals(ErrorCode.WriteConflict) || e.code().equals(ErrorCode.LockTimeout);
                throw isConflict ? e : ExecutorError.of(call, args.collection(), e);
            }
        });
    }

    private Reply update(FindAndModifyArgs args, Value modification, Call call) {
        Change change = targets.parse(args.toUpdate(modification), call);
        Projection projection = projection(args, change.target().filter(), call);
        return answered(args, call, transaction -> {
            Image image = statements.modify(transaction, change, call);
            Value upserted = image.upserted();
            boolean existed = image.before() != null;
            BsonWriter reply = new BsonWriter()
                    .startDocument("lastErrorObject")
                    .put("n", existed || upserted != null ? 1 : 0)
                    .put("updatedExisting", existed);
            if (upserted != null) {
                reply.put("upserted", upserted);
                call.count(call.counters().documentsInserted);
            } else if (existed) {
                call.count(call.counters().documentsUpdated);
            }
            reply.end();
            return value(reply, args.returnNew() ? image.after() : image.before(), projection, call);
        });
    }

    private @Nullable Projection projection(FindAndModifyArgs args, Filter filter, Call call) {
        return args.fields().isEmpty()
                ? null
                : Projection.parse(
                        args.fields(), filter, scopes.forCall(args.let(), args.collation(), args.collection(), call));
    }

    /** Without memory for the reply, nothing is written. */
    private static BsonWriter value(
            BsonWriter reply, @Nullable RawDocument document, @Nullable Projection projection, Call call) {
        if (document == null) {
            return reply.putNull("value");
        }
        RawDocument shown = projection == null ? document : projection.apply(document);
        call.replyMemory().reach(reply.length() + (long) shown.length());
        return reply.put("value", shown);
    }
}
