package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.once.Inquiry;
import dev.semel.server.once.Inquiry.Finding;
import dev.semel.server.once.NumberRecord;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.Inserted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.once.Statements.Run;
import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionId;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.store.Commit;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * {@code writeOutcome}: what has become of the write or transaction with a session and a number that the client has kept,
 * and whose answer it has not. The session is inside the command's first field, for drivers add one of their own.
 */
final class WriteOutcome implements Command<WriteOutcome.Args> {
    record Args(SessionId session, long number, @Nullable Instant sentAfter) {}

    private final Sessions sessions;
    private final SessionTransactions sessionTransactions;
    private final ConnectionTransactions connectionTransactions;
    private final Inquiry inquiry;

    WriteOutcome(
            Sessions sessions,
            SessionTransactions sessionTransactions,
            ConnectionTransactions connectionTransactions,
            Inquiry inquiry) {
        this.sessions = sessions;
        this.sessionTransactions = sessionTransactions;
        this.connectionTransactions = connectionTransactions;
        this.inquiry = inquiry;
    }

    @Override
    public Spec spec() {
        return Spec.of("writeOutcome").with(Trait.WRITES).needs(Rights.USERS);
    }

    @Override
    public Args parse(Arguments in) {
        Arguments of = in.inner("writeOutcome", in.requiredDocument("writeOutcome"));
        SessionId session = SessionId.parse(of.requiredDocument("lsid"), of.path() + ".lsid");
        long number = number(of);
        Instant sentAfter = switch (of.optional("sentAfter")) {
            case null -> null;
            case Value.Date(long millis) -> Instant.ofEpochMilli(millis);
            case Value other -> throw of.wrongType("sentAfter", other, "'date'");
        };
        of.refuseUnknown();
        return new Args(session, number, sentAfter);
    }

    /** Rounding would tell what became of another number, and take that one's place. */
    private static long number(Arguments of) {
        long number = switch (of.required("txnNumber")) {
            case Value.Int64(long value) -> value;
            case Value.Int32(int value) -> value;
            case Value other -> throw of.wrongType("txnNumber", other, "'long'");
        };
        if (number < 0) {
            throw new CommandException(ErrorCode.InvalidOptions, "Transaction number cannot be negative");
        }
        return number;
    }

    @Override
    public Reply run(Args args, Call call) {
        SessionId id = args.session().ownedBy(call.owner());
        Session named = sessions.find(id);
        boolean isRunning = named != null && named.isWorkingOn(args.number());
        if (isRunning || connectionTransactions.isOpen(id)) {
            return inProgress();
        }
        Session session =
                sessions.checkOut(named == null ? sessions.use(id) : named, args.number(), call.interruption());
        try {
            if (sessionTransactions.isOpen(session, args.number())) {
                return inProgress();
            }
            return reply(inquiry.ask(id, args.number(), args.sentAfter(), call.interruption()), call);
        } finally {
            session.checkIn();
        }
    }

    private static Reply inProgress() {
        return Reply.of(new BsonWriter().put("outcome", "inProgress"));
    }

    private static Reply reply(Finding finding, Call call) {
        BsonWriter reply = new BsonWriter();
        switch (finding) {
            case Finding.Applied(var record, var statements) -> {
                reply.put("outcome", "applied");
                applied(reply, record, statements.runs());
            }
            case Finding.NotApplied(Commit fence) -> {
                reply.put("outcome", "notApplied");
                if (fence != null) {
                    call.committed(fence);
                }
            }
            case Finding.Unknown() -> reply.put("outcome", "unknown");
        }
        return Reply.of(reply);
    }

    private static void applied(BsonWriter reply, NumberRecord record, Iterable<Run> runs) {
        reply.put("lastWriteDate", new Value.Date(record.writtenMillis()));
        if (record.use() == NumberRecord.Use.TRANSACTION) {
            reply.put("state", "committed");
            return;
        }
        reply.startArray("statements");
        for (Run run : runs) {
            reply.startDocument().put("stmtId", run.first());
            if (run.count() > 1) {
                reply.put("count", run.count());
            }
            switch (run.record()) {
                case Inserted() -> reply.put("n", 1);
                case Deleted(boolean found) -> reply.put("n", found ? 1 : 0);
                case Updated(boolean matched, boolean modified, Value upserted) -> {
                    reply.put("n", matched || upserted != null ? 1 : 0).put("nModified", modified ? 1 : 0);
                    if (upserted != null) {
                        reply.put("upserted", upserted);
                    }
                }
                case Answered(RawDocument answer) -> reply.copyAll(answer);
            }
            reply.end();
        }
        reply.end();
    }
}
