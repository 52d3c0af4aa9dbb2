package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code profile}: from when on an operation is slow, and logged. The collection of slow operations is not kept. */
final class Profile implements Command<Profile.Args> {
    record Args(@Nullable Value slowMs, @Nullable Value sampleRate) {}

    private final Settings settings;

    Profile(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Spec spec() {
        return Spec.of("profile").with(Spec.Trait.OUTSIDE_TRANSACTION).needs(Rights.onDatabase(Action.enableProfiler));
    }

    @Override
    public Args parse(Arguments in) {
        long level = in.requiredInteger("profile");
        if (level == 1 || level == 2) {
            throw new CommandException(
                    ErrorCode.NotImplemented,
                    "'profile' with level %d is not supported: slow operations are in the log only",
                    level);
        }
        in.notHonoured("filter");
        return new Args(in.optional("slowms"), in.optional("sampleRate"));
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter()
                .put("was", 0)
                .put("slowms", settings.slowOperationMs.shown())
                .put("sampleRate", settings.slowOperationSampleRate.shown());
        if (args.slowMs() != null) {
            settings.slowOperationMs.set(args.slowMs(), Setting.When.AT_RUNTIME);
        }
        if (args.sampleRate() != null) {
            settings.slowOperationSampleRate.set(args.sampleRate(), Setting.When.AT_RUNTIME);
        }
        return Reply.of(reply);
    }
}
