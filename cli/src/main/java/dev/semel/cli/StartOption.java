package dev.semel.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The options of a server. Each has {@code mongod}'s name in the configuration file, from which
 * its environment variable follows, and {@code mongod}'s names on the command line. Options that {@code mongod} does
 * not have are in their own section, {@code semel}.
 */
enum StartOption {
    PORT(
            "net.port",
            "--port",
            Kind.NUMBER,
            "27017",
            "Port to listen on; 0 takes a free one, which the ready line names."),
    BIND_IP(
            "net.bindIp",
            "--bind_ip",
            Kind.TEXT,
            "localhost",
            "Addresses or host names to listen on, separated by commas. Others than loopback need"
                    + " access control or --unsafe-without-access-control."),
    BIND_IP_ALL("net.bindIpAll", "--bind_ip_all", Kind.FLAG, "false", "Listen on every address of this machine."),
    MAX_CONNECTIONS(
            "net.maxIncomingConnections",
            "--maxConns",
            Kind.NUMBER,
            "65536",
            "Maximum number of simultaneous connections; further ones are closed at once."),
    COMPRESSORS(
            "net.compression.compressors",
            "--networkMessageCompressors",
            Kind.TEXT,
            "snappy,zstd,zlib",
            "Compressors to offer to clients, separated by commas, or 'disabled'."),
    UNIX_SOCKET("net.unixDomainSocket.enabled", "", Kind.ONLY_DEFAULT, "false", "Only 'false' is supported."),
    TLS_MODE(
            "net.tls.mode",
            "--tlsMode",
            Kind.TLS_MODE,
            "disabled",
            "Encryption: 'disabled', 'allowTLS' or 'preferTLS' for clients that want it, 'requireTLS' for all,"
                    + " which is the default as soon as another option of TLS is given."),
    TLS_KEY_FILE(
            "net.tls.certificateKeyFile",
            "--tlsCertificateKeyFile",
            Kind.TEXT,
            "",
            "File with the server's certificate and its private key, in PEM form."),
    TLS_KEY_PASSWORD(
            "net.tls.certificateKeyFilePassword",
            "--tlsCertificateKeyFilePassword",
            Kind.TEXT,
            "",
            "Password of the private key, if it is encrypted."),
    TLS_CA_FILE(
            "net.tls.CAFile",
            "--tlsCAFile",
            Kind.TEXT,
            "",
            "File with the CA certificates for client certificates, in PEM form. Clients then have to present one."),
    TLS_WITHOUT_CERTIFICATES(
            "net.tls.allowConnectionsWithoutCertificates",
            "--tlsAllowConnectionsWithoutCertificates",
            Kind.FLAG,
            "false",
            "Allow clients without a certificate, although there is a CA file."),
    TLS_CLUSTER_FILE(
            "net.tls.clusterFile",
            "--tlsClusterFile",
            Kind.TEXT,
            "",
            "File with this member's certificate for connections to other members, and its private key, in PEM form."
                    + " Needs --tlsClusterCAFile or --tlsCAFile."),
    TLS_CLUSTER_PASSWORD(
            "net.tls.clusterPassword",
            "--tlsClusterPassword",
            Kind.TEXT,
            "",
            "Password of the private key in --tlsClusterFile, if it is encrypted."),
    TLS_CLUSTER_CA_FILE(
            "net.tls.clusterCAFile",
            "--tlsClusterCAFile",
            Kind.TEXT,
            "",
            "File with the CA certificates for the certificates of members, in PEM form; the default is --tlsCAFile."),
    DB_PATH("storage.dbPath", "--dbpath", Kind.TEXT, "data", "Folder of the data; created if it does not exist."),
    ENGINE(
            "storage.engine",
            "--storageEngine",
            Kind.ENGINE,
            "rocksdb",
            "'rocksdb' keeps data on disk, 'memory' until the server stops."),
    MEMORY("", "--memory", Kind.FLAG, "false", "Short for --storageEngine memory."),
    REPLICA_SET(
            "replication.replSetName",
            "--replSet",
            Kind.TEXT,
            "rs0",
            "Name of the replica set. Without --members the server is its only member and its primary from the first"
                    + " start."),
    OPLOG_SIZE(
            "replication.oplogSizeMB",
            "--oplogSize",
            Kind.NUMBER,
            "1024",
            "Maximum size of the operation log in megabytes; beyond it the oldest entries are removed. The default with"
                    + " --memory is 64."),
    OPLOG_HOURS(
            "storage.oplogMinRetentionHours",
            "--oplogMinRetentionHours",
            Kind.TEXT,
            "0",
            "Hours for which entries of the operation log are kept, however large it becomes."),
    MEMBERS(
            "replication.members",
            "--members",
            Kind.TEXT,
            "",
            "HOST:PORT of all members of the replica set, separated by commas, the same on each of them. Members listen"
                    + " for each other at that port plus 1000."),
    STANDALONE(
            "semel.standalone",
            "--standalone",
            Kind.FLAG,
            "false",
            "Run without a replica set. Drivers then cannot retry writes."),
    ADVERTISE(
            "semel.advertise",
            "--advertise",
            Kind.TEXT,
            "",
            "HOST or HOST:PORT at which clients reach this server, if not at its first address"
                    + " or a name in its certificate."),
    READY_FILE(
            "semel.readyFile",
            "--ready-file",
            Kind.TEXT,
            "",
            "File to write the connection string to once the server is writable; removed when it stops."),
    UNSAFE(
            "semel.unsafeWithoutAccessControl",
            "--unsafe-without-access-control",
            Kind.FLAG,
            "false",
            "Listen on other addresses than loopback although anyone who reaches them can read and change everything."),
    AUTHORIZATION(
            "security.authorization",
            "",
            Kind.SWITCH,
            "disabled",
            "'enabled' requires clients to log in; they may do what the roles of their user allow."),
    KEY_FILE(
            "security.keyFile",
            "--keyFile",
            Kind.TEXT,
            "",
            "File with a secret by which members of the set authenticate each other: 6 to 1024 characters of base 64,"
                    + " which other users of the machine cannot read. Members then encrypt what they send, and clients"
                    + " have to be users, as with --auth."),
    CLUSTER_AUTH_MODE(
            "security.clusterAuthMode",
            "--clusterAuthMode",
            Kind.CLUSTER_AUTH_MODE,
            "",
            "'keyFile' or 'x509', for --tlsClusterFile: how members authenticate each other, if both files are given."
                    + " Clients then have to be users, as with --auth."),
    JAVASCRIPT(
            "security.javascriptEnabled",
            "",
            Kind.FLAG,
            "true",
            "'false' refuses JavaScript of clients: $where, $function, $accumulator and mapReduce."),
    NO_SCRIPTING("", "--noscripting", Kind.FLAG, "false", "Short for security.javascriptEnabled: false."),
    AUTH("", "--auth", Kind.FLAG, "false", "Short for security.authorization: enabled."),
    LOG_DESTINATION("systemLog.destination", "", Kind.ONLY_DEFAULT, "file", "'file' when systemLog.path is given."),
    LOG_PATH(
            "systemLog.path",
            "--logpath",
            Kind.TEXT,
            "",
            "File to log to. Without one the log goes to standard error."),
    LOG_FORMAT(
            "semel.logFormat",
            "--logFormat",
            Kind.LOG_FORMAT,
            "",
            "'json', one document per line, or 'text'. The default is text on a terminal and JSON elsewhere."),
    LOG_APPEND(
            "systemLog.logAppend",
            "--logappend",
            Kind.FLAG,
            "false",
            "Append to the log file; otherwise an existing one is renamed first."),
    VERBOSITY("systemLog.verbosity", "--verbose", Kind.NUMBER, "0", "Verbosity of the log, from 0 to 5. -vv is 2."),
    QUIET("systemLog.quiet", "--quiet", Kind.FLAG, "false", "Log warnings and errors only."),
    SLOW_MS(
            "operationProfiling.slowOpThresholdMs",
            "--slowms",
            Kind.NUMBER,
            "100",
            "Log operations that take longer than this, in milliseconds."),
    SLOW_SAMPLE_RATE(
            "operationProfiling.slowOpSampleRate",
            "--slowOpSampleRate",
            Kind.TEXT,
            "1.0",
            "Fraction of the slow operations to log, from 0 to 1."),
    PID_FILE("processManagement.pidFilePath", "--pidfilepath", Kind.TEXT, "", "File to write the process id to.");

    /** What a value may be. */
    enum Kind {
        TEXT,
        NUMBER,
        FLAG,
        ENGINE,
        SWITCH,
        TLS_MODE,
        LOG_FORMAT,
        CLUSTER_AUTH_MODE,
        /** An option of {@code mongod} of which only the default is supported; other values are refused. */
        ONLY_DEFAULT
    }

    private final String key;
    private final String argument;
    private final Kind kind;
    private final String fallback;
    private final String description;

    StartOption(String key, String argument, Kind kind, String fallback, String description) {
        this.key = key;
        this.argument = argument;
        this.kind = kind;
        this.fallback = fallback;
        this.description = description;
    }

    /** Its name in the configuration file, empty if it has none there. */
    String key() {
        return key;
    }

    /** Its name on the command line, empty if it has none there. */
    String argument() {
        return argument;
    }

    /** {@code net.port} is {@code SEMEL_NET_PORT}. */
    String variable() {
        return key.isEmpty() ? "" : "SEMEL_" + key.replace('.', '_').toUpperCase(Locale.ROOT);
    }

    /** The server parameter it sets, empty if it is none. */
    String parameter() {
        return switch (this) {
            case MAX_CONNECTIONS -> "maxIncomingConnections";
            case OPLOG_SIZE -> "oplogSizeMB";
            case OPLOG_HOURS -> "oplogMinRetentionHours";
            case VERBOSITY -> "logLevel";
            case QUIET -> "quiet";
            case JAVASCRIPT -> "javascriptEnabled";
            case SLOW_SAMPLE_RATE -> "slowOpSampleRate";
            default -> "";
        };
    }

    /** The sections of the configuration file, in the order of the options. */
    static List<String> sections() {
        return Arrays.stream(values())
                .filter(each -> !each.key.isEmpty())
                .map(each -> each.key.substring(0, each.key.indexOf('.')))
                .distinct()
                .toList();
    }

    Kind kind() {
        return kind;
    }

    /** Not shown to anybody. */
    boolean isSecret() {
        return this == TLS_KEY_PASSWORD || this == TLS_CLUSTER_PASSWORD;
    }

    boolean isFlag() {
        return kind == Kind.FLAG;
    }

    String fallback() {
        return fallback;
    }

    String description() {
        return description;
    }

    /** What is wrong with a value, if anything is. */
    Optional<String> objection(String value) {
        return switch (kind) {
            case TEXT -> value.isEmpty() ? Optional.of("must not be empty") : Optional.empty();
            case NUMBER ->
                value.matches("[0-9]{1,9}") ? Optional.empty() : Optional.of("must be a number, not '" + value + "'");
            case FLAG ->
                value.matches("true|false")
                        ? Optional.empty()
                        : Optional.of("must be true or false, not '" + value + "'");
            case ENGINE ->
                value.matches("rocksdb|memory")
                        ? Optional.empty()
                        : Optional.of("must be rocksdb or memory, not '" + value + "'");
            case SWITCH ->
                value.matches("enabled|disabled")
                        ? Optional.empty()
                        : Optional.of("must be enabled or disabled, not '" + value + "'");
            case TLS_MODE ->
                value.matches("disabled|allowTLS|preferTLS|requireTLS")
                        ? Optional.empty()
                        : Optional.of("must be disabled, allowTLS, preferTLS or requireTLS, not '" + value + "'");
            case LOG_FORMAT ->
                value.matches("json|text")
                        ? Optional.empty()
                        : Optional.of("must be json or text, not '" + value + "'");
            case CLUSTER_AUTH_MODE ->
                value.matches("keyFile|x509")
                        ? Optional.empty()
                        : Optional.of("must be keyFile or x509, not '" + value + "'");
            case ONLY_DEFAULT ->
                value.equals(fallback)
                        ? Optional.empty()
                        : Optional.of("'" + value + "' is not supported yet, only '" + fallback + "'");
        };
    }

    static Optional<StartOption> ofVariable(String variable) {
        return Arrays.stream(values())
                .filter(each -> !variable.isEmpty() && each.variable().equals(variable))
                .findFirst();
    }

    static Optional<StartOption> ofKey(String key) {
        return Arrays.stream(values())
                .filter(each -> !key.isEmpty() && each.key.equals(key))
                .findFirst();
    }
}
