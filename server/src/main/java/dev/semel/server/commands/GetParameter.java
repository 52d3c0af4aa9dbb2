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
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code getParameter}: the values of server parameters, some or all. */
final class GetParameter implements Command<GetParameter.Args> {
    /** Which parameters, with or without when they may be set. */
    record Args(List<Setting<?>> wanted, boolean showDetails) {}

    private final Settings settings;

    GetParameter(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Spec spec() {
        return Spec.of("getParameter").with(Spec.Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.getParameter));
    }

    @Override
    public Args parse(Arguments in) {
        boolean all = false;
        boolean details = false;
        Setting.When when = null;
        switch (in.optional("getParameter")) {
            case Value.Str(var text) when text.toString().equals("*") -> all = true;
            case Value.Doc(RawDocument options) -> {
                Arguments fields = in.inner("getParameter", options);
                all = fields.bool("allParameters", false);
                details = fields.bool("showDetails", false);
                String at = fields.string("setAt");
                when = at == null ? null : when(at);
                fields.refuseUnknown();
            }
            case null, default -> {}
        }
        List<Setting<?>> wanted = new ArrayList<>();
        for (String name : in.unread()) {
            Setting<?> setting = settings.find(name);
            if (setting == null) {
                throw new CommandException(ErrorCode.InvalidOptions, "no option found to get: '%s'", name);
            }
            in.ignored(name);
            wanted.add(setting);
        }
        if (all) {
            wanted = new ArrayList<>(settings.all());
        } else if (wanted.isEmpty()) {
            throw new CommandException(ErrorCode.InvalidOptions, "no option found to get");
        }
        if (when != null) {
            Setting.When time = when;
            wanted.removeIf(each -> !each.isSettable(time));
        }
        return new Args(wanted, details);
    }

    private static Setting.When when(String text) {
        return switch (text) {
            case "startup" -> Setting.When.AT_START;
            case "runtime" -> Setting.When.AT_RUNTIME;
            default ->
                throw new CommandException(
                        ErrorCode.BadValue,
                        "Enumeration value '%s' for field 'getParameter.setAt' is not a valid value.",
                        text);
        };
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter();
        for (Setting<?> each : args.wanted()) {
            if (args.showDetails()) {
                reply.startDocument(each.name())
                        .put("value", each.shown())
                        .put("settableAtRuntime", each.isSettable(Setting.When.AT_RUNTIME))
                        .put("settableAtStartup", each.isSettable(Setting.When.AT_START))
                        .end();
            } else {
                reply.put(each.name(), each.shown());
            }
        }
        return Reply.of(reply);
    }
}
