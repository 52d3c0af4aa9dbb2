package dev.semel.server.settings;

import dev.semel.server.settings.Setting.Kind;
import dev.semel.server.settings.Setting.When;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The table of parameters. A parameter is here only if something obeys it; what {@code setParameter} accepts and nothing
 * reads would be a lie.
 */
public final class Settings {
    private static final long MS_MAX = Integer.MAX_VALUE;

    /** As in MongoDB: far above any real use. */
    private static final long SESSIONS_MAX = 1_000_000;

    /** With less for each session, unused ones could fill a small heap. */
    private static final long HEAP_BYTES_PER_SESSION = 8 << 10;

    private final SortedMap<String, Setting<?>> byName = new TreeMap<>();

    /** Whether a command that fails in the middle is undone as a whole ({@code command}) or keeps what it did. */
    public final Setting<String> writeAtomicity = setting(
            "writeAtomicity", Setting.oneOf(java.util.List.of("command", "statement")), When.AT_RUNTIME, "command");

    /** How long a statement waits for a lock, in milliseconds. */
    public final Setting<Long> lockTimeoutMs = number("lockTimeout", 0, MS_MAX, When.AT_RUNTIME, 4_000);

    public final Setting<Long> cursorTimeoutMs = number("cursorTimeoutMillis", 1, MS_MAX, When.AT_RUNTIME, 600_000);

    /** Seconds after which a session transaction that is still open is aborted. */
    public final Setting<Long> transactionLifetimeSecs;

    /** Seconds after which an idle transaction of TokuMX's dialect is rolled back; 0 for never. */
    public final Setting<Long> transactionIdleSecs =
            number("transactionIdleLimitSeconds", 0, Integer.MAX_VALUE, When.AT_RUNTIME, 600);

    /** Milliseconds for which a session transaction waits for a collection that is being changed. */
    public final Setting<Long> transactionLockTimeoutMs;

    /** Seconds for which a cursor may keep its snapshot. */
    public final Setting<Long> cursorSnapshotAgeMaxSecs =
            number("cursorSnapshotMaxAge", 1, MS_MAX / 1000, When.AT_RUNTIME, 3_600);

    public final Setting<Long> sessionTimeoutMinutes =
            number("localLogicalSessionTimeoutMinutes", 1, 1_000_000, When.AT_START, 30);

    /** Sessions at once. */
    public final Setting<Long> sessionsMax;

    /** How large the operation log may become, in megabytes; entries younger than the hours are kept in any case. */
    public final Setting<Long> oplogMegabytesMax = number("oplogSizeMB", 1, 1 << 30, When.AT_RUNTIME, 1_024);

    public final Setting<Double> oplogHoursMin =
            setting("oplogMinRetentionHours", Setting.number(0, 1_000_000), When.AT_RUNTIME, 0.0);

    /**
     * Of a set of several members: after this many megabytes of log a checkpoint is saved, and older log is deleted.
     */
    public final Setting<Long> replicationLogMegabytes = number("replicationLogSizeMB", 1, 1 << 20, When.AT_START, 256);

    /** And after this many seconds, if there is any log by then. */
    public final Setting<Long> checkpointIntervalSecs =
            number("checkpointIntervalSecs", 1, 7 * 86_400, When.AT_START, 600);

    /** Minutes for which what a session has written last can be asked for at least, whatever became of the session. */
    public final Setting<Long> recordLifetimeMinutes =
            number("TransactionRecordMinimumLifetimeMinutes", 1, 1_000_000, When.AT_START, 30);

    /** Seconds for which a retryable write can be asked for after its session has written something else. */
    public final Setting<Long> recordRetentionSecs =
            number("writeRecordRetention", 0, 366 * 86_400, When.AT_RUNTIME, 0);

    /** How much of the heap clients can fill, and with what. */
    public final MemorySettings memory;

    /** What the engine on disk takes. */
    public final StorageSettings storage;

    /** Seconds for which the outcome of a write with a token is kept, unless the write says for how long. */
    public final Setting<Long> onceRetentionSecs =
            number("onceRetention", 1, 366 * 86_400, When.AT_RUNTIME, 7 * 86_400);

    /** Whether queries that do not say so may write temporary files. */
    public final Setting<Boolean> allowDiskUseByDefault = bool("allowDiskUseByDefault", When.AT_RUNTIME, true);

    /** What temporary files of all queries and transactions may take on disk. */
    public final Setting<Long> temporaryFileBytesMax =
            number("temporaryFileBytesMax", 0, Long.MAX_VALUE, When.AT_RUNTIME, 64L << 30);

    /** What they leave free on that disk. */
    public final Setting<Long> diskBytesFreeMin =
            number("internalQuerySpillingMinAvailableDiskSpaceBytes", 0, Long.MAX_VALUE, When.AT_RUNTIME, 500L << 20);

    /** What outcomes of writes with a token may take; where they do, new tokens are refused. */
    public final Setting<Long> onceBytesMax = number("onceBytesMax", 0, Long.MAX_VALUE, When.AT_RUNTIME, 1L << 30);

    public final Setting<Boolean> ttlMonitorEnabled = bool("ttlMonitorEnabled", When.AT_RUNTIME, true);
    public final Setting<Long> ttlMonitorSleepSecs = number("ttlMonitorSleepSecs", 1, 86_400, When.AT_RUNTIME, 60);

    /** How often a password is hashed when it is set, so that guessing one takes long. */
    public final Setting<Long> scramSha1Iterations =
            number("scramIterationCount", 5_000, 10_000_000, When.AT_RUNTIME, 10_000);

    public final Setting<Long> scramSha256Iterations =
            number("scramSHA256IterationCount", 5_000, 10_000_000, When.AT_RUNTIME, 15_000);

    /** Whether clients may have JavaScript run. */
    public final Setting<Boolean> javascriptEnabled = bool("javascriptEnabled", When.AT_START, true);

    /** What one call of a JavaScript function may run: instructions of the interpreter, about 100 million a second. */
    public final Setting<Long> javascriptInstructionsMax =
            number("javascriptInstructionsMax", 1_000, Long.MAX_VALUE, When.AT_RUNTIME, 1_000_000_000);

    public final Setting<Boolean> requireApiVersion = bool("requireApiVersion", When.AT_RUNTIME, false);

    /** Version 2 has the commands of version 1; there is it for tests of clients. */
    public final Setting<Boolean> acceptApiVersion2 = bool("acceptApiVersion2", When.AT_START, false);

    public final Setting<Long> logLevel = number("logLevel", 0, 5, When.AT_RUNTIME, 0);
    public final Setting<Boolean> quiet = bool("quiet", When.AT_RUNTIME, false);

    /** The share of slow operations that is logged. */
    public final Setting<Double> slowOperationSampleRate =
            setting("slowOpSampleRate", Setting.number(0, 1), When.AT_RUNTIME, 1.0);

    public final Setting<Long> connectionsMax = number("maxIncomingConnections", 1, 1_000_000, When.AT_START, 65_536);

    /** How far a cluster time that a client has heard of may be ahead of this node's clock. */
    public final Setting<Long> clusterTimeAheadSecsMax =
            number("maxAcceptableLogicalClockDriftSecs", 1, 1L << 32, When.AT_START, 365 * 86_400);

    /** Whether clients may make the server fail on purpose: never where data matters. */
    public final Setting<Boolean> enableTestCommands = bool("enableTestCommands", When.AT_START, true);

    /** Not a parameter: {@code profile} sets it, and the command line. */
    public final Setting<Long> slowOperationMs =
            new Setting<>("slowms", Setting.wholeNumber(-1, MS_MAX), When.AT_RUNTIME, 100L);

    /** As it was started. */
    public final Setting<Value> tlsMode = setting("tlsMode", Setting.ANY, When.NEVER, Value.of("disabled"));

    /**
     * @param heapBytes of which limits of memory are shares
     * @param isInMemory whether the data is in the heap as well
     */
    public Settings(long heapBytes, boolean isInMemory) {
        memory = new MemorySettings(heapBytes, isInMemory, this::add);
        storage = new StorageSettings(heapBytes, isInMemory ? setting -> {} : this::add);
        sessionsMax = number(
                "maxSessions",
                1,
                SESSIONS_MAX,
                When.AT_START,
                Math.clamp(heapBytes / HEAP_BYTES_PER_SESSION, 1_000, SESSIONS_MAX));
        transactionLifetimeSecs = number("transactionLifetimeLimitSeconds", 1, Integer.MAX_VALUE, When.AT_RUNTIME, 60);
        transactionLockTimeoutMs =
                number("maxTransactionLockRequestTimeoutMillis", 0, Integer.MAX_VALUE, When.AT_RUNTIME, 5);
        never(
                "authenticationMechanisms",
                new BsonWriter()
                        .add(ScramHash.SHA_1.mechanism())
                        .add(ScramHash.SHA_256.mechanism())
                        .finishArray());
        never("clusterAuthMode", Value.of("undefined"));
        never("diagnosticDataCollectionEnabled", Value.of(false));
        never(
                "featureCompatibilityVersion",
                new Value.Doc(new BsonWriter().put("version", "8.0").finish()));
    }

    private Setting<Boolean> bool(String name, When when, boolean value) {
        return setting(name, Setting.BOOL, when, value);
    }

    private Setting<Long> number(String name, long least, long most, When when, long value) {
        return setting(name, Setting.wholeNumber(least, most), when, value);
    }

    private void never(String name, Value value) {
        setting(name, Setting.ANY, When.NEVER, value);
    }

    private <T> Setting<T> setting(String name, Kind<T> kind, When when, T value) {
        Setting<T> setting = new Setting<>(name, kind, when, value);
        add(setting);
        return setting;
    }

    private void add(Setting<?> setting) {
        byName.put(setting.name(), setting);
    }

    public @Nullable Setting<?> find(String name) {
        return byName.get(name);
    }

    /** In the order of their names. */
    public Collection<Setting<?>> all() {
        return Collections.unmodifiableCollection(byName.values());
    }
}
