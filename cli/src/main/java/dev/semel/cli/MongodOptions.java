package dev.semel.cli;

import java.util.Set;

/**
 * Options of {@code mongod} whose effect users rely on and Semel does not have: they are refused, with another message than
 * mistyped ones. Those without a meaning here are {@link IgnoredOption}s.
 */
final class MongodOptions {
    private static final Set<String> KEYS = Set.of(
            "auditLog.destination",
            "auditLog.filter",
            "auditLog.format",
            "auditLog.path",
            "net.maxIncomingConnectionsOverride",
            "net.tls.CRLFile",
            "net.tls.FIPSMode",
            "net.tls.allowInvalidCertificates",
            "net.tls.allowInvalidHostnames",
            "net.tls.certificateSelector",
            "net.tls.disabledProtocols",
            "net.tls.logVersions",
            "operationProfiling.filter",
            "replication.oplogMinRetentionHours",
            "security.enableEncryption",
            "security.redactClientLogData",
            "security.transitionToAuth",
            "sharding.archiveMovedChunks",
            "sharding.clusterRole",
            "sharding.configDB",
            "systemLog.syslogFacility");

    private static final Set<String> OPTIONS = Set.of(
            "--configsvr",
            "--cpu",
            "--maintenanceMode",
            "--noauth",
            "--notablescan",
            "--redactClientLogData",
            "--repair",
            "--shardsvr",
            "--shutdown",
            "--sysinfo",
            "--syslog",
            "--syslogFacility",
            "--tlsAllowInvalidCertificates",
            "--tlsAllowInvalidHostnames",
            "--tlsCRLFile",
            "--tlsDisabledProtocols",
            "--tlsOnNormalPorts",
            "--transitionToAuth",
            "--upgrade");

    private MongodOptions() {}

    static boolean hasKey(String key) {
        return KEYS.contains(key);
    }

    static boolean hasOption(String option) {
        return OPTIONS.contains(option);
    }
}
