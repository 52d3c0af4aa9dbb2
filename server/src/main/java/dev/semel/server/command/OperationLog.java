package dev.semel.server.command;

import dev.semel.server.settings.Settings;
import dev.semel.server.status.Log;
import dev.semel.server.status.Usage;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Logs the operations that took long, and the defects that one has come upon. */
public final class OperationLog implements Dispatcher.Operations {
    /** A larger command is cut to its first field: a line is read by people. */
    private static final int COMMAND_BYTES_MAX = 4096;

    private final Settings settings;
    private final Log log;
    private final Usage usage;
    private final DoubleSupplier chance;

    /** The chance draws from 0 to 1, to log a share of the slow operations. */
    public OperationLog(Settings settings, Log log, Usage usage, DoubleSupplier chance) {
        this.settings = settings;
        this.log = log;
        this.usage = usage;
        this.chance = chance;
    }

    @Override
    public void ended(Call call, int replyBytes, @Nullable CommandException failure) {
        Namespace namespace = call.namespace();
        if (namespace != null) {
            usage.count(namespace, Usage.Kind.of(call.spec().name()), call.elapsedNanos());
        }
        long slowMs = settings.slowOperationMs.value();
        // A wait for news is no slow operation.
        if (slowMs < 0 || call.mayStream() || call.elapsedNanos() < slowMs * 1_000_000) {
            return;
        }
        if (chance.getAsDouble() < settings.slowOperationSampleRate.value()) {
            log.info(
                    Log.Component.COMMAND,
                    call.client().description(),
                    "Slow query",
                    describe(call, replyBytes, failure));
        }
    }

    private static RawDocument describe(Call call, int replyBytes, @Nullable CommandException failure) {
        Namespace namespace = call.namespace();
        BsonWriter out = new BsonWriter(512)
                .put("type", "command")
                .put("ns", namespace == null ? call.database() + ".$cmd" : namespace.toString());
        if (!call.client().appName().isEmpty()) {
            out.put("appName", call.client().appName());
        }
        out.put("command", abridged(call.shown()));
        if (!call.planSummary().isEmpty()) {
            out.put("planSummary", call.planSummary());
        }
        if (failure != null) {
            out.put("ok", 0)
                    .put("errMsg", failure.text())
                    .put("errName", failure.code().codeName())
                    .put("errCode", failure.code().number());
        }
        return out.put("reslen", replyBytes)
                .put("remote", call.client().remote())
                .put("protocol", "op_msg")
                .put("durationMillis", call.elapsedNanos() / 1_000_000)
                .finish();
    }

    /** The command without what every command carries, and not longer than a line should be. */
    static RawDocument abridged(RawDocument command) {
        BsonWriter out = new BsonWriter(Math.min(command.length(), COMMAND_BYTES_MAX) + 64);
        for (var at = command.cursor(); at.next(); ) {
            if (at.name().equals("$clusterTime")) {
                continue;
            }
            if (out.length() + at.valueEnd() - at.valueStart() > COMMAND_BYTES_MAX) {
                out.put("$truncated", at.name());
                break;
            }
            out.copy(at);
        }
        return out.finish();
    }

    @Override
    public void broken(Client client, String command, Throwable defect) {
        log.error(Log.Component.COMMAND, client.description(), "The command '" + command + "' failed", defect);
    }
}
