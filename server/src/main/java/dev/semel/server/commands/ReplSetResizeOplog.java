package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.SetAdministration;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code replSetResizeOplog}: how much of the operation log this member keeps while it is the primary, until it stops. */
final class ReplSetResizeOplog implements Command<ReplSetResizeOplog.Args> {
    /** MongoDB's least. */
    private static final long MEGABYTES_MIN = 990;

    private static final long MEGABYTES_MAX = 1L << 30;

    /** @param megabytes 0 for as many as before */
    record Args(long megabytes, @Nullable Value hoursMin) {}

    private final ReplicaSet replicaSet;
    private final Settings settings;

    ReplSetResizeOplog(ReplicaSet replicaSet, Settings settings) {
        this.replicaSet = replicaSet;
        this.settings = settings;
    }

    @Override
    public Spec spec() {
        return Spec.of("replSetResizeOplog")
                .with(Trait.ADMIN_ONLY, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.replSetResizeOplog));
    }

    @Override
    public Args parse(Arguments in) {
        long megabytes = in.atLeast("size", MEGABYTES_MIN, 0);
        Value hours = in.optional("minRetentionHours");
        if (megabytes > MEGABYTES_MAX) {
            throw new CommandException(
                    ErrorCode.BadValue, "the size of the oplog must not exceed %d megabytes", MEGABYTES_MAX);
        }
        if (megabytes == 0 && hours == null) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "replSetResizeOplog needs 'size', 'minRetentionHours' or both");
        }
        return new Args(megabytes, hours);
    }

    @Override
    public Reply run(Args args, Call call) {
        if (replicaSet.name() == null) {
            throw SetAdministration.notReplicated();
        }
        Value hours = args.hoursMin();
        if (hours != null) {
            settings.oplogHoursMin.set(hours, Setting.When.AT_RUNTIME);
        }
        if (args.megabytes() > 0) {
            settings.oplogMegabytesMax.set(args.megabytes());
        }
        return Reply.ok();
    }
}
