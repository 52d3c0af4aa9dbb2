package dev.semel.server.command;

import dev.semel.server.settings.Settings;
import dev.semel.server.status.Log;
import dev.semel.server.status.Usage;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Logs the operations that took long, keeps those that are profiled, and logs the defects that one has come upon. */
public final class OperationLog implements Dispatcher.Operations {
    /** A larger command is cut to its first field: a line is read by people. */
    static final int COMMAND_BYTES_MAX = 4096;

    private final Settings settings;
    private final Log log;
    private final Usage usage;
    private final DoubleSupplier chance;
    private final Profiler profiler;
    private final Supplier<ObjectId> ids;
    private final InstantSource clock;

    /** The chance draws from 0 to 1, to log a share of the slow operations. */
    public OperationLog(
            Settings settings,
            Log log,
            Usage usage,
            DoubleSupplier chance,
            Profiler profiler,
            Supplier<ObjectId> ids,
            InstantSource clock) {
        this.profiler = profiler;
        this.ids = ids;
        this.clock = clock;
        this.settings = settings;
        this.log = log;
        this.usage = usage;
        this.chance = chance;
    }

    /** A client that asks what its operations were like is shown all that have ended. */
    @Override
    public void begins(Call call) {
        if (profiler.isIdle()) {
            return;
        }
        Element first = call.command().first();
        if (first != null
                && first.value() instanceof Value.Str(Text name)
                && name.toString().equals(Profiler.COLLECTION)) {
            profiler.flush(call.interruption());
        }
    }

    @Override
    public void ended(Call call, RawDocument reply, @Nullable CommandException failure) {
        Namespace namespace = call.namespace();
        usage.count(namespace, call.spec().name(), call.elapsedNanos());
        // A wait for news is no slow operation.
        if (call.mayStream()) {
            return;
        }
        String database = namespace == null ? call.database() : namespace.database();
        ProfileLevels.ProfileLevel level = profiler.levels().of(database);
        ProfileLevels.FilterSetting filter = level.filter();
        boolean isWanted;
        RawDocument entry = null;
        if (filter == null) {
            isWanted = isSlow(call);
        } else {
            entry = entry(call, reply, failure);
            isWanted = matches(filter, entry);
        }
        if (isWanted) {
            log.info(
                    Log.Component.COMMAND,
                    call.client().description(),
                    "Slow query",
                    describe(call, reply.length(), failure));
        }
        if (level.level() == 2 || (level.level() == 1 && isWanted)) {
            profiler.write(database, entry == null ? entry(call, reply, failure) : entry);
        }
    }

    /** The operation has ended and what it did stays, so that a filter which cannot be evaluated must not fail it. */
    private static boolean matches(ProfileLevels.FilterSetting filter, RawDocument entry) {
        try {
            return filter.filter().get().matches(entry);
        } catch (CommandException e) {
            return false;
        }
    }

    private boolean isSlow(Call call) {
        long slowMs = settings.slowOperationMs.value();
        return slowMs >= 0
                && call.elapsedNanos() >= slowMs * 1_000_000
                && chance.getAsDouble() < settings.slowOperationSampleRate.value();
    }

    private RawDocument entry(Call call, RawDocument reply, @Nullable CommandException failure) {
        return ProfileEntry.of(call, reply, failure, ids.get(), clock.millis());
    }

    private static RawDocument describe(Call call, int replyBytes, @Nullable CommandException failure) {
        Namespace namespace = call.namespace();
        BsonWriter out = new BsonWriter(512)
                .put("type", "command")
                .put("ns", namespace == null ? call.database() + ".$cmd" : namespace.toString());
        if (!call.client().appName().isEmpty()) {
            out.put("appName", call.client().appName());
        }
        out.put("command", abridged(call.shown(), COMMAND_BYTES_MAX));
        String plan = call.planSummary();
        if (!plan.isEmpty()) {
            out.put("planSummary", plan);
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

    /** Of a field, where the command ends. */
    private static final int NAME_CHARS_MAX = 128;

    /** The command without what every command carries, and not longer than a line should be. */
    static RawDocument abridged(RawDocument command, int bytesMax) {
        BsonWriter out = new BsonWriter(Math.min(command.length(), bytesMax) + 64);
        for (var at = command.cursor(); at.next(); ) {
            if (at.name().equals("$clusterTime")) {
                continue;
            }
            if (out.length() + at.valueEnd() - at.elementStart() > bytesMax) {
                String name = at.name();
                out.put("$truncated", name.substring(0, Math.min(name.length(), NAME_CHARS_MAX)));
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
