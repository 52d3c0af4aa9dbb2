package dev.semel.cli;

import java.util.Set;

/** Options that {@code mongod} has and Semel does not: told apart from mistyped ones, so that the refusal is clear. */
final class MongodOptions {
    private static final Set<String> KEYS = Set.of(
            "auditLog.destination",
            "auditLog.filter",
            "auditLog.format",
            "auditLog.path",
            "cloud.monitoring.free.state",
            "net.ipv6",
            "net.listenBacklog",
            "net.maxIncomingConnectionsOverride",
            "net.serviceExecutor",
            "net.tls.CRLFile",
            "net.tls.FIPSMode",
            "net.tls.allowInvalidCertificates",
            "net.tls.allowInvalidHostnames",
            "net.tls.certificateSelector",
            "net.tls.clusterCAFile",
            "net.tls.clusterFile",
            "net.tls.clusterPassword",
            "net.tls.disabledProtocols",
            "net.tls.logVersions",
            "net.unixDomainSocket.filePermissions",
            "net.unixDomainSocket.pathPrefix",
            "net.wireObjectCheck",
            "operationProfiling.filter",
            "operationProfiling.mode",
            "processManagement.fork",
            "processManagement.timeZoneInfo",
            "replication.enableMajorityReadConcern",
            "replication.oplogMinRetentionHours",
            "security.clusterAuthMode",
            "security.enableEncryption",
            "security.javascriptEnabled",
            "security.keyFile",
            "security.redactClientLogData",
            "security.transitionToAuth",
            "sharding.archiveMovedChunks",
            "sharding.clusterRole",
            "sharding.configDB",
            "storage.directoryPerDB",
            "storage.journal.commitIntervalMs",
            "storage.journal.enabled",
            "storage.syncPeriodSecs",
            "systemLog.component",
            "systemLog.logRotate",
            "systemLog.syslogFacility",
            "systemLog.timeStampFormat",
            "systemLog.traceAllExceptions");

    private static final Set<String> OPTIONS = Set.of(
            "--clusterAuthMode",
            "--configsvr",
            "--cpu",
            "--directoryperdb",
            "--enableMajorityReadConcern",
            "--filePermissions",
            "--fork",
            "--ipv6",
            "--journalCommitInterval",
            "--keyFile",
            "--listenBacklog",
            "--logRotate",
            "--maintenanceMode",
            "--noauth",
            "--noscripting",
            "--notablescan",
            "--nounixsocket",
            "--profile",
            "--redactClientLogData",
            "--repair",
            "--serviceExecutor",
            "--shardsvr",
            "--shutdown",
            "--syncdelay",
            "--sysinfo",
            "--syslog",
            "--syslogFacility",
            "--timeStampFormat",
            "--timeZoneInfo",
            "--tlsAllowInvalidCertificates",
            "--tlsAllowInvalidHostnames",
            "--tlsClusterFile",
            "--tlsCRLFile",
            "--tlsDisabledProtocols",
            "--tlsOnNormalPorts",
            "--traceExceptions",
            "--transitionToAuth",
            "--unixSocketPrefix",
            "--upgrade",
            "--wiredTigerCacheSizeGB",
            "--wiredTigerCollectionBlockCompressor",
            "--wiredTigerDirectoryForIndexes",
            "--wiredTigerIndexPrefixCompression",
            "--wiredTigerJournalCompressor");

    private MongodOptions() {}

    static boolean hasKey(String key) {
        return KEYS.contains(key)
                || key.startsWith("storage.wiredTiger.")
                || key.startsWith("storage.inMemory.")
                || key.startsWith("systemLog.component.");
    }

    static boolean hasOption(String option) {
        return OPTIONS.contains(option);
    }
}
