package dev.semel.server;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.script.ScriptLimits;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CursorLimits;
import dev.semel.server.memory.ServerMemory;
import dev.semel.server.settings.MemorySettings;
import dev.semel.server.settings.OpenFiles;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.server.statement.Atomicity;
import dev.semel.server.tls.Tls;
import dev.semel.store.TransactionOptions;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.spill.SpillLimits;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import dev.semel.wire.spill.SpillSpace;
import java.time.Duration;

/** The settings of a server, with the defaults that depend on where its data is, and what they mean to its parts. */
final class Tuning {
    private static final Duration SNAPSHOT_WINDOW = Duration.ofSeconds(60);
    private static final int SNAPSHOTS_MAX = 10_000;
    private static final int MEMORY_SNAPSHOTS_MAX = 1_000;

    /** With less for each connection, their buffers alone could fill the heap. */
    private static final long HEAP_BYTES_PER_CONNECTION = 128 << 10;

    /** What a log in the heap takes by default, unless that is more than a sixteenth of it. */
    private static final long OPLOG_MEGABYTES_IN_MEMORY = 64;

    /** Which share of the heap outcomes of writes with a token may take by default, where all data is there. */
    private static final long TOKENS_HEAP_SHARE = 16;

    private final Settings settings;
    private final boolean isInMemory;
    private final long heapBytesMax = Runtime.getRuntime().maxMemory();
    private final long connectionsMax = Math.min(heapBytesMax / HEAP_BYTES_PER_CONNECTION, OpenFiles.connectionsMax());

    Tuning(ServerOptions options) {
        isInMemory = options.directory() == null;
        settings = new Settings(heapBytesMax, isInMemory);
        settings.slowOperationMs.set(options.slowOperationMs());
        if (isInMemory) {
            settings.oplogMegabytesMax.set(Math.clamp(heapBytesMax >> 24, 1, OPLOG_MEGABYTES_IN_MEMORY));
            settings.onceBytesMax.set(heapBytesMax / TOKENS_HEAP_SHARE);
        }
        Tls tls = options.security().tls();
        if (tls != null) {
            settings.tlsMode.set(Value.of(tls.mode().name()));
        }
        options.parameters().forEach(this::set);
    }

    private void set(String name, String value) {
        Setting<?> setting = settings.find(name);
        if (setting == null) {
            throw new CommandException(ErrorCode.InvalidOptions, "there is no server parameter '%s'", name);
        }
        setting.set(Value.of(value), Setting.When.AT_START);
    }

    Settings settings() {
        return settings;
    }

    TransactionOptions transactionOptions() {
        MemorySettings limits = settings.memory;
        return new TransactionOptions(
                limits.transactionBytesMax.value(),
                limits.transactionBytesTotalMax.value(),
                SNAPSHOT_WINDOW,
                // What old snapshots keep is on the heap then, and collecting it costs more than the commits
                // themselves.
                isInMemory ? MEMORY_SNAPSHOTS_MAX : SNAPSHOTS_MAX,
                limits.lockBytesMax.value(),
                limits.conflictBytesMax.value(),
                limits.inMemoryBytesMax.value(),
                limits.snapshotBytesMax.value());
    }

    QueryMemory queryMemory(ServerMemory memory, SpillSpace disk) {
        return new QueryMemory(memory.queries(), settings.memory.queryBytesMax::value, disk);
    }

    SpillLimits spillLimits() {
        return new SpillLimits(
                settings.temporaryFileBytesMax::value,
                settings.temporaryFileBytesMax.name(),
                settings.diskBytesFreeMin::value);
    }

    ScriptLimits scriptLimits() {
        Setting<Long> bytesMax = settings.memory.javascriptBytesMax;
        return new ScriptLimits(settings.javascriptInstructionsMax::value, bytesMax::value, bytesMax.name());
    }

    boolean runsScripts() {
        return settings.javascriptEnabled.value();
    }

    long connectionsMax() {
        return Math.min(settings.connectionsMax.value(), connectionsMax);
    }

    Duration lockTimeout() {
        return Duration.ofMillis(settings.lockTimeoutMs.value());
    }

    LockPolicy statementLocks(Call call) {
        return LockPolicy.of(LockPolicy.Kind.STATEMENT, call.client().lockTimeout());
    }

    LockPolicy sessionTransactionLocks() {
        return LockPolicy.ofSession(Duration.ofMillis(settings.transactionLockTimeoutMs.value()), lockTimeout());
    }

    Duration transactionLifetime() {
        return Duration.ofSeconds(settings.transactionLifetimeSecs.value());
    }

    Duration transactionIdle() {
        return Duration.ofSeconds(settings.transactionIdleSecs.value());
    }

    Duration sessionTimeout() {
        return Duration.ofMinutes(settings.sessionTimeoutMinutes.value());
    }

    CursorLimits cursorLimits() {
        return new CursorLimits(
                Duration.ofMillis(settings.cursorTimeoutMs.value()),
                Duration.ofSeconds(settings.cursorSnapshotAgeMaxSecs.value()));
    }

    Atomicity atomicity() {
        return Atomicity.parse(settings.writeAtomicity.value());
    }

    Duration recordLifetime() {
        return Duration.ofMinutes(settings.recordLifetimeMinutes.value());
    }

    Duration recordRetention() {
        return Duration.ofSeconds(settings.recordRetentionSecs.value());
    }

    Duration tokenRetention() {
        return Duration.ofSeconds(settings.onceRetentionSecs.value());
    }

    long oplogBytesMax() {
        return settings.oplogMegabytesMax.value() << 20;
    }

    Duration oplogRetention() {
        return Duration.ofSeconds((long) (settings.oplogHoursMin.value() * 3600));
    }

    long ttlIntervalSecs() {
        return settings.ttlMonitorEnabled.value() ? settings.ttlMonitorSleepSecs.value() : 0;
    }

    int scramIterations(ScramHash hash) {
        Setting<Long> count = switch (hash) {
            case SHA_1 -> settings.scramSha1Iterations;
            case SHA_256 -> settings.scramSha256Iterations;
        };
        return count.value().intValue();
    }
}
