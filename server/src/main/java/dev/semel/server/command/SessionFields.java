package dev.semel.server.command;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * By which a command says what it belongs to.
 *
 * @param txnNumber of a retryable write or of a transaction, -1 without one
 * @param inTransaction MongoDB's dialect of transactions: {@code autocommit: false}
 * @param startsTransaction whether it is the first of its transaction
 * @param stmtId of its first statement
 * @param stmtIds of each statement, where the client numbers them one by one; empty otherwise
 */
record SessionFields(
        @Nullable SessionId lsid,
        long txnNumber,
        boolean inTransaction,
        boolean startsTransaction,
        int stmtId,
        List<Integer> stmtIds) {
    static final long NO_TXN_NUMBER = -1;

    /** Sessions belong to the user who names them. */
    static SessionFields parse(Arguments in, Spec spec, @Nullable UserDigest owner) {
        Value lsid = in.optional("lsid");
        SessionId session = lsid == null ? null : lsid(in, lsid).ownedBy(owner);
        Value number = in.optional("txnNumber");
        Boolean autocommit = flag(in, "autocommit", number);
        Boolean starts = flag(in, "startTransaction", number);
        in.ignored("txnRetryCounter");
        if (number == null) {
            in.ignored("stmtId", "stmtIds");
            return new SessionFields(session, NO_TXN_NUMBER, false, false, 0, List.of());
        }
        long txnNumber = txnNumber(in, number, session);
        if (autocommit == null && starts == null) {
            checkRetryable(spec);
        } else {
            checkTransaction(in, spec, autocommit, starts);
        }
        return new SessionFields(session, txnNumber, autocommit != null, starts != null, stmtId(in), stmtIds(in));
    }

    private static SessionId lsid(Arguments in, Value value) {
        if (!(value instanceof Value.Doc(RawDocument fields))) {
            throw in.wrongType("lsid", value, "'object'");
        }
        return SessionId.parse(fields, "lsid");
    }

    private static long txnNumber(Arguments in, Value value, @Nullable SessionId session) {
        if (!(value instanceof Value.Int64(long number))) {
            throw in.wrongType("txnNumber", value, "'long'");
        }
        if (session == null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Transaction number requires a session ID to also be specified");
        }
        if (number < 0) {
            throw new CommandException(ErrorCode.InvalidOptions, "Transaction number cannot be negative");
        }
        return number;
    }

    private static void checkRetryable(Spec spec) {
        if (!spec.is(Spec.Trait.RETRYABLE)) {
            throw new CommandException(
                    ErrorCode.NotARetryableWriteCommand,
                    "txnNumber may only be provided for multi-document transactions and retryable write commands."
                            + " autocommit:false was not provided, and '%s' is not a retryable write command.",
                    spec.name());
        }
    }

    private static void checkTransaction(
            Arguments in, Spec spec, @Nullable Boolean autocommit, @Nullable Boolean starts) {
        if (Boolean.TRUE.equals(autocommit)) {
            throw new CommandException(ErrorCode.InvalidOptions, "Specifying autocommit=true is not allowed.");
        }
        if (Boolean.FALSE.equals(starts)) {
            throw new CommandException(ErrorCode.InvalidOptions, "Specifying startTransaction=false is not allowed.");
        }
        if (autocommit == null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "'startTransaction' field requires 'autocommit' field to also be specified");
        }
        if (!spec.is(Spec.Trait.IN_TRANSACTION)) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Cannot run '%s' in a multi-document transaction.",
                    in.path());
        }
        if (starts != null && spec.is(Spec.Trait.ENDS_TRANSACTION)) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Cannot run '%s' as the first operation of a transaction.",
                    in.path());
        }
    }

    private static @Nullable Boolean flag(Arguments in, String field, @Nullable Value txnNumber) {
        Value value = in.optional(field);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Value.Bool(boolean flag))) {
            throw in.wrongType(field, value, "'bool'");
        }
        if (txnNumber == null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "'%s' field requires a transaction number to also be specified", field);
        }
        return flag;
    }

    private static int stmtId(Arguments in) {
        return switch (in.optional("stmtId")) {
            case null -> 0;
            case Value.Int32(int id) -> id;
            case Value other -> throw in.wrongType("stmtId", other, "'int'");
        };
    }

    private static List<Integer> stmtIds(Arguments in) {
        List<Value> given = in.array("stmtIds");
        if (given.isEmpty()) {
            return List.of();
        }
        return given.stream()
                .map(each -> {
                    if (each instanceof Value.Int32(int id)) {
                        return id;
                    }
                    throw in.wrongType("stmtIds", each, "'int'");
                })
                .toList();
    }

    /** Refuses ids that do not belong to as many statements. */
    void checkStatements(int count) {
        if (!stmtIds.isEmpty() && stmtIds.size() != count) {
            throw new CommandException(
                    ErrorCode.InvalidLength,
                    "Number of statement ids must match the number of batch entries. Got %d statement ids but %d"
                            + " operations. Statement ids: %s",
                    stmtIds.size(),
                    count,
                    stmtIds);
        }
    }

    /** The id by which a retry finds what became of a statement. */
    int stmtId(int index) {
        return stmtIds.isEmpty() ? stmtId + index : stmtIds.get(index);
    }
}
