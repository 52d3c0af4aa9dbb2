package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.failpoint.FailPoint;
import dev.semel.server.failpoint.FailPoint.CutMembers;
import dev.semel.server.failpoint.FailPoint.FailCommand;
import dev.semel.server.failpoint.FailPoint.FailGetMoreAfterCursorCheckout;
import dev.semel.server.failpoint.FailPoint.MaxTimeAlwaysTimeOut;
import dev.semel.server.failpoint.FailPoint.MaxTimeNeverTimeOut;
import dev.semel.server.failpoint.FailPoint.OnPrimaryTransactionalWrite;
import dev.semel.server.failpoint.FailPoint.RsSyncApplyStop;
import dev.semel.server.failpoint.Fault;
import dev.semel.server.failpoint.Fault.Phase;
import dev.semel.server.failpoint.Target;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorCodes;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The fail points by name, and the {@code data} that each takes. */
final class FailPointData {
    private interface Kind {
        FailPoint parse(Arguments data);
    }

    private static final Map<String, Kind> KINDS = Map.of(
            CutMembers.NAME, data -> new CutMembers(new HashSet<>(strings(data, "members"))),
            FailCommand.NAME, FailPointData::failCommand,
            FailGetMoreAfterCursorCheckout.NAME,
                    data -> new FailGetMoreAfterCursorCheckout(
                            errorCode(data, "errorCode"), data.bool("closeConnection", false)),
            MaxTimeAlwaysTimeOut.NAME, data -> new MaxTimeAlwaysTimeOut(),
            MaxTimeNeverTimeOut.NAME, data -> new MaxTimeNeverTimeOut(),
            OnPrimaryTransactionalWrite.NAME,
                    data -> new OnPrimaryTransactionalWrite(
                            data.bool("closeConnection", true), errorCode(data, "failBeforeCommitExceptionCode")),
            RsSyncApplyStop.NAME, data -> new RsSyncApplyStop());

    private static final List<String> OF_A_FAULT = List.of(
            "phase",
            "blockConnection",
            "blockTimeMS",
            "closeConnection",
            "errorCode",
            "errorLabels",
            "writeConcernError");

    private FailPointData() {}

    static void checkName(String name) {
        if (!KINDS.containsKey(name)) {
            throw new CommandException(ErrorCode.FailPointSetFailed, "%s is no fail point of this server", name);
        }
    }

    static FailPoint parse(String name, Arguments data) {
        checkName(name);
        return Objects.requireNonNull(KINDS.get(name)).parse(data);
    }

    private static @Nullable ErrorCode errorCode(Arguments data, String field) {
        return switch (data.optional(field)) {
            case null -> null;
            case Value.Int32(int number) -> ErrorCodes.numbered(number);
            case Value.Int64(long number) when number == (int) number -> ErrorCodes.numbered((int) number);
            case Value.Double64(double number) when number == (int) number -> ErrorCodes.numbered((int) number);
            case Value other -> throw data.wrongType(field, other, "'int'");
        };
    }

    // ---- failCommand

    private static FailPoint failCommand(Arguments data) {
        Target target = new Target(
                new HashSet<>(strings(data, "failCommands")),
                data.bool("failAllCommands", false),
                data.string("appName"),
                data.string("namespace"),
                data.string("threadName"));
        // Every client here is an external one; the commands of one member to another come with replica sets.
        data.bool("failInternalCommands", false);
        data.bool("failLocalClients", false);
        // The name of the code is known from its number.
        return data.has("faults")
                ? new FailCommand(target, faults(data), true)
                : new FailCommand(target, List.of(fault(data)), false);
    }

    private static List<Fault> faults(Arguments data) {
        for (String field : OF_A_FAULT) {
            if (data.has(field)) {
                throw new CommandException(
                        ErrorCode.InvalidOptions, "'%s' belongs into 'faults', if there are any", field);
            }
        }
        List<Fault> faults = new ArrayList<>();
        for (RawDocument each : data.optionalDocuments("faults")) {
            Arguments fields = data.inner("faults." + faults.size(), each);
            faults.add(fault(fields));
            fields.refuseUnknown();
        }
        if (faults.isEmpty()) {
            throw new CommandException(ErrorCode.BadValue, "'faults' must not be empty");
        }
        return faults;
    }

    private static Fault fault(Arguments in) {
        Phase phase = phase(in);
        Duration stall = stall(in);
        in.string("codeName");
        boolean closes = in.bool("closeConnection", false);
        ErrorCode error = errorCode(in, "errorCode");
        List<String> labels = in.has("errorLabels") ? strings(in, "errorLabels") : null;
        RawDocument writeConcernError = in.optionalDocument("writeConcernError");
        if (writeConcernError != null) {
            Arguments fields = in.inner("writeConcernError", writeConcernError);
            fields.required("code");
            errorCode(fields, "code");
        }
        if (error != null && phase == Phase.AFTER_REPLY) {
            throw new CommandException(ErrorCode.InvalidOptions, "'errorCode' cannot come in phase '%s'", phase.word());
        }
        return new Fault(
                phase, stall, closes, error, labels, writeConcernError == null ? null : writeConcernError.detached());
    }

    private static Phase phase(Arguments in) {
        String word = in.string("phase");
        if (word == null) {
            return Phase.BEFORE_APPLY;
        }
        for (Phase each : Phase.values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        throw new CommandException(
                ErrorCode.BadValue, "'phase' must be 'beforeApply', 'afterApply' or 'afterReply', not '%s'", word);
    }

    private static Duration stall(Arguments in) {
        boolean blocks = in.bool("blockConnection", false);
        boolean hasTime = in.has("blockTimeMS");
        long millis = in.integer("blockTimeMS", 0);
        if (!blocks) {
            return Duration.ZERO;
        }
        if (!hasTime) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "'blockConnection' needs 'blockTimeMS', the time to block");
        }
        if (millis < 0) {
            throw new CommandException(ErrorCode.InvalidOptions, "'blockTimeMS' must not be negative: %d", millis);
        }
        return Duration.ofMillis(millis);
    }

    private static List<String> strings(Arguments in, String field) {
        List<String> strings = new ArrayList<>();
        for (Value each : in.array(field)) {
            if (!(each instanceof Value.Str(Text text))) {
                throw in.wrongType(field + "." + strings.size(), each, "'string'");
            }
            strings.add(text.toString());
        }
        return strings;
    }
}
