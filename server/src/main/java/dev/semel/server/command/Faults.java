package dev.semel.server.command;

import dev.semel.server.failpoint.FailPoint.FailCommand;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.failpoint.Fault;
import dev.semel.server.failpoint.Fault.Phase;
import dev.semel.server.failpoint.Hit;
import dev.semel.server.failpoint.Target;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorCodes;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code failCommand} does to a command: before it runs, when it has run, and when its reply has left. */
final class Faults {
    /** The one that must go well for the others to be switched off. */
    private static final String NEVER_FAILED = "configureFailPoint";

    private final FailPoints points;

    Faults(FailPoints points) {
        this.points = points;
    }

    /** The command is about to run; throws if it is not to. */
    void before(Call call) {
        if (!points.areSet()) {
            return;
        }
        Hit<FailCommand> hit = points.hit(FailCommand.NAME, FailCommand.class, point -> matches(point.target(), call));
        if (hit == null) {
            return;
        }
        Fault fault = hit.point().fault(hit.number());
        call.strickenBy(fault);
        if (fault.phase() == Phase.BEFORE_APPLY && isFailure(fault)) {
            inject(fault, call);
        }
    }

    /** A delay is made where the command works, so that ending its transaction ends the delay. */
    void delay(Call call) {
        Fault fault = call.fault();
        if (fault != null && fault.phase() == Phase.BEFORE_APPLY && !isFailure(fault)) {
            points.stall(fault.stall(), call.interruption());
        }
    }

    private static boolean isFailure(Fault fault) {
        return fault.closesConnection() || fault.error() != null;
    }

    /** The command has run, and this would be its answer. */
    Answer after(Call call, Answer answer, Function<CommandException, Answer> failed) {
        Fault fault = call.fault();
        if (fault == null || fault.phase() == Phase.BEFORE_APPLY) {
            return answer;
        }
        if (fault.phase() == Phase.AFTER_REPLY) {
            return answer.then(() -> {
                stall(fault, call);
                return !fault.closesConnection();
            });
        }
        try {
            inject(fault, call);
            return answer;
        } catch (CommandException e) {
            return failed.apply(e);
        }
    }

    private void inject(Fault fault, Call call) {
        points.stall(fault.stall(), call.interruption());
        if (fault.closesConnection()) {
            call.cutConnection();
            throw cut();
        }
        if (fault.error() != null) {
            throw new CommandException(fault.error(), "Failing command via '%s' failpoint", FailCommand.NAME);
        }
    }

    private void stall(Fault fault, Call call) {
        call.client().running(call);
        try {
            points.stall(fault.stall(), call.interruption());
        } catch (CommandException interrupted) {
            // The reply has been sent; there is no one to report to.
            return;
        } finally {
            call.client().running(null);
        }
    }

    /** The error for a caller in the same process, whose connection cannot be closed. */
    static CommandException cut() {
        return new CommandException(ErrorCode.SocketException, "the connection was closed by a fail point");
    }

    /** In place of the labels that the server adds by itself; null to leave them. */
    static @Nullable List<String> labels(Call call) {
        Fault fault = call.fault();
        return fault == null ? null : fault.labels();
    }

    /** The write concern error that the reply is to carry; null for none. */
    static @Nullable RawDocument writeConcernError(Call call) {
        Fault fault = call.fault();
        return fault == null || !call.spec().is(Spec.Trait.WRITE_CONCERN) ? null : fault.writeConcernError();
    }

    static ErrorCode code(RawDocument writeConcernError) {
        return writeConcernError.get("code") instanceof Value.Int32(int number)
                ? ErrorCodes.numbered(number)
                : ErrorCode.UnknownError;
    }

    // ---- which commands

    private static boolean matches(Target target, Call call) {
        Spec spec = call.spec();
        boolean isNamed = target.all()
                || target.commands().contains(spec.name())
                || spec.aliases().stream().anyMatch(target.commands()::contains);
        return isNamed
                && !spec.name().equals(NEVER_FAILED)
                && (target.appName() == null || isFrom(target.appName(), call))
                && (target.threadName() == null
                        || target.threadName().equals(call.client().description()))
                && (target.namespace() == null || Namespaces.of(call).contains(target.namespace()));
    }

    /** A first hello says who is calling; before it is answered the client has no name yet. */
    private static boolean isFrom(String appName, Call call) {
        return appName.equals(call.client().appName())
                || (call.command().get("client") instanceof Value.Doc(RawDocument client)
                        && client.get("application") instanceof Value.Doc(RawDocument application)
                        && application.get("name") instanceof Value.Str(var name)
                        && name.toString().equals(appName));
    }
}
