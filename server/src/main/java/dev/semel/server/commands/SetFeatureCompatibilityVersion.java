package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** {@code setFeatureCompatibilityVersion}: there is one version to be compatible with. */
final class SetFeatureCompatibilityVersion implements Command<SetFeatureCompatibilityVersion.Args> {
    /** The only version there is. */
    record Args() {}

    @Override
    public Spec spec() {
        return Spec.of("setFeatureCompatibilityVersion")
                .with(Trait.ADMIN_ONLY, Trait.WRITE_CONCERN, Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.setFeatureCompatibilityVersion));
    }

    @Override
    public Args parse(Arguments in) {
        String version = in.requiredString("setFeatureCompatibilityVersion");
        if (!version.equals("8.0")) {
            throw new CommandException(
                    ErrorCode.BadValue, "Invalid feature compatibility version value '%s'; expected '8.0'", version);
        }
        if (!in.bool("confirm", false)) {
            throw new CommandException(
                    ErrorCode.location(7369100), "setFeatureCompatibilityVersion needs 'confirm: true'");
        }
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        return Reply.ok();
    }
}
