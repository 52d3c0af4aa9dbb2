package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.OnceComment;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.once.Inquiry;
import dev.semel.server.once.Inquiry.Finding;
import dev.semel.server.once.NumberRecord;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.DeletedMany;
import dev.semel.server.once.StatementRecord.Failed;
import dev.semel.server.once.StatementRecord.Inserted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.once.StatementRecord.UpdatedMany;
import dev.semel.server.once.Statements.Run;
import dev.semel.server.once.Token;
import dev.semel.server.once.TokenInquiry;
import dev.semel.server.once.TokenRecord;
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
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * {@code writeOutcome}: what has become of the write that has a token, or of the write or transaction with a session and a
 * number, that the client has kept and whose answer it has not. The session is inside the command's first field, for
 * drivers add one of their own.
 */
final class WriteOutcome implements Command<WriteOutcome.Question> {
    sealed interface Question {}

    record OfNumber(
            SessionId session, long number, @Nullable Instant sentAfter) implements Question {}

    /** {@code keep}: for how long the write wanted its outcome to be kept; null if it did not say. */
    record OfToken(
            Value once,
            @Nullable Instant sentAfter,
            @Nullable Duration keep) implements Question {}

    private final Sessions sessions;
    private final SessionTransactions sessionTransactions;
    private final ConnectionTransactions connectionTransactions;
    private final Inquiry inquiry;
    private final TokenInquiry tokens;

    WriteOutcome(
            Sessions sessions,
            SessionTransactions sessionTransactions,
            ConnectionTransactions connectionTransactions,
            Inquiry inquiry,
            TokenInquiry tokens) {
        this.sessions = sessions;
        this.sessionTransactions = sessionTransactions;
        this.connectionTransactions = connectionTransactions;
        this.inquiry = inquiry;
        this.tokens = tokens;
    }

    @Override
    public Spec spec() {
        return Spec.of("writeOutcome").with(Trait.WRITES).needs(Rights.USERS);
    }

    @Override
    public Question parse(Arguments in) {
        Arguments of = in.inner("writeOutcome", in.requiredDocument("writeOutcome"));
        Question question = of.mentions("once")
                ? ofToken(of)
                : new OfNumber(
                        SessionId.parse(of.requiredDocument("lsid"), of.path() + ".lsid"), number(of), sentAfter(of));
        of.refuseUnknown();
        return question;
    }

    private static OfToken ofToken(Arguments of) {
        Value once = of.document().get("once");
        String path = of.path() + ".once";
        // Whose it is will be known when it is asked for.
        return new OfToken(Token.parse(null, once, path).value(), sentAfter(of), OnceComment.keep(of, "keepSeconds"));
    }

    private static @Nullable Instant sentAfter(Arguments of) {
        return switch (of.optional("sentAfter")) {
            case null -> null;
            case Value.Date(long millis) -> Instant.ofEpochMilli(millis);
            case Value other -> throw of.wrongType("sentAfter", other, "'date'");
        };
    }

    /** Rounding would report the outcome of another number, and reserve that one. */
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
    public Reply run(Question question, Call call) {
        return switch (question) {
            case OfNumber number -> run(number, call);
            case OfToken(Value once, Instant sentAfter, Duration keep) -> {
                Token token = new Token(call.owner(), once);
                yield reply(tokens.ask(token, sentAfter, keep, call.client().lockTimeout(), call.interruption()), call);
            }
        };
    }

    private Reply run(OfNumber of, Call call) {
        SessionId id = of.session().ownedBy(call.owner());
        Session named = sessions.find(id);
        boolean isRunning = named != null && named.isWorkingOn(of.number());
        if (isRunning || connectionTransactions.isOpen(id)) {
            return inProgress();
        }
        Session session = sessions.checkOut(named == null ? sessions.use(id) : named, of.number(), call.interruption());
        try {
            if (sessionTransactions.isOpen(session, of.number())) {
                return inProgress();
            }
            boolean isOwn = id.equals(call.lsid());
            return reply(inquiry.ask(id, of.number(), of.sentAfter(), isOwn, call.interruption()), call);
        } finally {
            session.checkIn();
        }
    }

    private static Reply reply(TokenInquiry.Finding finding, Call call) {
        BsonWriter reply = new BsonWriter();
        switch (finding) {
            case TokenInquiry.Finding.Applied(var record, var statements) ->
                reply.put("outcome", record.state() == TokenRecord.State.PARTLY ? "partlyApplied" : "applied")
                        .put("lastWriteDate", new Value.Date(record.writtenMillis()))
                        .put("command", record.command().text())
                        .put("reply", TokenReply.of(record, statements));
            case TokenInquiry.Finding.NotApplied(Commit fence) -> {
                reply.put("outcome", "notApplied");
                if (fence != null) {
                    call.committed(fence);
                }
            }
            case TokenInquiry.Finding.InProgress() -> reply.put("outcome", "inProgress");
            case TokenInquiry.Finding.Forgotten() -> reply.put("outcome", "forgotten");
        }
        return Reply.of(reply);
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
                case DeletedMany ignored -> throw onlyOfToken(run);
                case UpdatedMany ignored -> throw onlyOfToken(run);
                case Failed ignored -> throw onlyOfToken(run);
            }
            reply.end();
        }
        reply.end();
    }

    private static IllegalStateException onlyOfToken(Run run) {
        return new IllegalStateException("stored for a number: " + run);
    }
}
