package dev.semel.cli;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An option of {@code mongod} that has no effect here, which can do no harm: it is accepted, and the log says why
 * it is ignored. Options that protect data or restrict access are never among them.
 *
 * @param key in the configuration file; a whole section if it ends with a dot
 * @param arguments on the command line
 * @param isFlag whether it is given on the command line without a value
 * @param values what it may be, as a regular expression
 * @param reason why it has no effect
 */
record IgnoredOption(String key, List<String> arguments, boolean isFlag, String values, String reason) {
    private static final String ENGINE =
            "it tunes an engine that Semel does not have; parameters that begin with storage tune its own";
    private static final String SOCKET = "Semel listens on no Unix domain socket";
    private static final String LOG_FORM = "the log has one form";

    private static final List<IgnoredOption> ALL = List.of(
            flagOf("true", "storage.journal.enabled", "there is always a journal", "--journal"),
            value("storage.journal.commitIntervalMs", "commits do not wait for a timer", "--journalCommitInterval"),
            value("storage.syncPeriodSecs", "the engine decides when it writes its files", "--syncdelay"),
            flag("storage.directoryPerDB", "all databases are in the same files", "--directoryperdb"),
            value(
                    "storage.wiredTiger.",
                    ENGINE,
                    "--wiredTigerCacheSizeGB",
                    "--wiredTigerCollectionBlockCompressor",
                    "--wiredTigerIndexPrefixCompression",
                    "--wiredTigerJournalCompressor"),
            flag("", ENGINE, "--wiredTigerDirectoryForIndexes"),
            value("storage.inMemory.", ENGINE, "--inMemorySizeGB"),
            value("processManagement.timeZoneInfo", "the time zones are Java's", "--timeZoneInfo"),
            flag("processManagement.fork", "the server stays in the foreground", "--fork"),
            flag("net.ipv6", "every address that --bind_ip names is listened on", "--ipv6"),
            value("net.listenBacklog", "the backlog is as long as the system allows", "--listenBacklog"),
            value("net.serviceExecutor", "each connection has a virtual thread", "--serviceExecutor"),
            flag("net.wireObjectCheck", "every document is checked", "--objcheck"),
            value("net.unixDomainSocket.pathPrefix", SOCKET, "--unixSocketPrefix"),
            value("net.unixDomainSocket.filePermissions", SOCKET, "--filePermissions"),
            flag("", SOCKET, "--nounixsocket"),
            valueOf("off", "operationProfiling.mode", "there is no profiler"),
            valueOf("0", "", "there is no profiler", "--profile"),
            flagOf("true", "replication.enableMajorityReadConcern", "it is always on", "--enableMajorityReadConcern"),
            value("systemLog.component.", "systemLog.verbosity is for all components"),
            value("systemLog.timeStampFormat", LOG_FORM, "--timeStampFormat"),
            value("systemLog.logRotate", "the log is not rotated while the server runs", "--logRotate"),
            flag("systemLog.traceAllExceptions", "unexpected errors are logged with their traces", "--traceExceptions"),
            value("cloud.monitoring.", "no data is sent anywhere", "--enableFreeMonitoring"));

    private static IgnoredOption flag(String key, String reason, String... arguments) {
        return flagOf("true|false", key, reason, arguments);
    }

    private static IgnoredOption flagOf(String values, String key, String reason, String... arguments) {
        return new IgnoredOption(key, List.of(arguments), true, values, reason);
    }

    private static IgnoredOption value(String key, String reason, String... arguments) {
        return valueOf(".*", key, reason, arguments);
    }

    private static IgnoredOption valueOf(String values, String key, String reason, String... arguments) {
        return new IgnoredOption(key, List.of(arguments), false, values, reason);
    }

    static List<IgnoredOption> all() {
        return ALL;
    }

    static Optional<IgnoredOption> ofKey(String key) {
        return ALL.stream()
                .filter(each ->
                        each.key.endsWith(".") ? key.startsWith(each.key) : !key.isEmpty() && each.key.equals(key))
                .findFirst();
    }

    static Optional<IgnoredOption> ofVariable(String variable) {
        return ALL.stream()
                .filter(each -> !each.key.isEmpty())
                .filter(each -> each.key.endsWith(".")
                        ? variable.startsWith(each.variable())
                        : variable.equals(each.variable()))
                .findFirst();
    }

    private String variable() {
        return "SEMEL_" + key.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    Optional<String> objection(String value) {
        return value.matches(values)
                ? Optional.empty()
                : Optional.of("can only be '" + values.replace("|", "' or '") + "' here, because " + reason + ", not '"
                        + value + "'");
    }
}
