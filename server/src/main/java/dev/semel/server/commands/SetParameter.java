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
import dev.semel.server.status.Log;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code setParameter}: changes server parameters while the server runs; not beyond its end. */
final class SetParameter implements Command<SetParameter.Args> {
    /** One or several, changed in the order given. */
    record Args(List<Change> changes) {}

    record Change(Setting<?> setting, Value value) {}

    private final Settings settings;
    private final Log log;

    SetParameter(Settings settings, Log log) {
        this.settings = settings;
        this.log = log;
    }

    @Override
    public Spec spec() {
        return Spec.of("setParameter").with(Spec.Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.setParameter));
    }

    @Override
    public Args parse(Arguments in) {
        List<Change> changes = new ArrayList<>();
        for (String name : in.unread()) {
            Setting<?> setting = settings.find(name);
            if (setting == null) {
                throw new CommandException(
                        ErrorCode.InvalidOptions, "Attempted to set unrecognized parameter [%s]", name);
            }
            changes.add(new Change(setting, in.required(name)));
        }
        if (changes.isEmpty()) {
            throw new CommandException(ErrorCode.InvalidOptions, "no option found to set");
        }
        return new Args(changes);
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter();
        Value was = args.changes().getFirst().setting().shown();
        for (Change each : args.changes()) {
            Value before = each.setting().shown();
            each.setting().set(each.value(), Setting.When.AT_RUNTIME);
            log.info(
                    Log.Component.CONTROL,
                    call.client().description(),
                    "A server parameter was changed",
                    new BsonWriter()
                            .put("parameter", each.setting().name())
                            .put("from", before)
                            .put("to", each.setting().shown())
                            .finish());
        }
        return Reply.of(reply.put("was", was));
    }
}
