package dev.semel.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a server can be told at its start. Each option has {@code mongod}'s name in the configuration file, from which
 * its environment variable follows, and {@code mongod}'s names on the command line. StartOptions that {@code mongod} does
 * not have are in a section of their own, {@code semel}.
 */
enum StartOption {
    PORT("net.port", "--port", Kind.INTEGER, "27017", "Port to listen on; 0 takes a free one, which the ready line names."),
    BIND_IP(
            "net.bindIp",
            "--bind_ip",
            Kind.LIST,
            "localhost",
            "Addresses or host names to listen on, separated by commas. Others than loopback need"
                    + " --unsafe-without-access-control."),
    BIND_IP_ALL("net.bindIpAll", "--bind_ip_all", Kind.FLAG, "false", "Listen on every address of this machine."),
    MAX_CONNECTIONS(
            "net.maxIncomingConnections",
            "--maxConns",
            Kind.INTEGER,
            "65536",
            "Connections at the same time; further ones are closed at once."),
    COMPRESSORS(
            "net.compression.compressors",
            "--networkMessageCompressors",
            Kind.LIST,
            "snappy,zstd,zlib",
            "Compressors to offer to clients, separated by commas, or 'disabled'."),
    UNIX_SOCKET("net.unixDomainSocket.enabled", "", new Kind.Only("false"), "false", "Only 'false' is accepted yet."),
    TLS_MODE("net.tls.mode", "--tlsMode", new Kind.Only("disabled"), "disabled", "Only 'disabled' is accepted yet."),
    DB_PATH("storage.dbPath", "--dbpath", Kind.TEXT, "data", "Folder of the data; made when it does not exist."),
    ENGINE(
            "storage.engine",
            "--storageEngine",
            new Kind.OneOf("rocksdb", "memory"),
            "rocksdb",
            "'rocksdb' keeps data on disk, 'memory' until the server stops."),
    MEMORY("", "--memory", Kind.FLAG, "false", "Short for --storageEngine memory."),
    REPLICA_SET(
            "replication.replSetName",
            "--replSet",
            Kind.TEXT,
            "rs0",
            "Name of the replica set. The server is its only member and its primary from the first start."),
    STANDALONE(
            "semel.standalone",
            "--standalone",
            Kind.FLAG,
            "false",
            "Be no replica set. Drivers then cannot retry writes."),
    ADVERTISE(
            "semel.advertise",
            "--advertise",
            Kind.TEXT,
            "",
            "HOST or HOST:PORT under which clients reach this server, if not under its first address."),
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
            "Listen on other addresses than loopback although whoever reaches them can read and change everything."),
    AUTHORIZATION(
            "security.authorization", "", new Kind.Only("disabled"), "disabled", "Only 'disabled' is accepted yet."),
    LOG_DESTINATION("systemLog.destination", "", new Kind.Only("file"), "", "'file' when systemLog.path is given."),
    LOG_PATH("systemLog.path", "--logpath", Kind.TEXT, "", "File to log to. Without one the log goes to standard error."),
    LOG_APPEND(
            "systemLog.logAppend",
            "--logappend",
            Kind.FLAG,
            "false",
            "Append to the log file; otherwise one that is there is renamed first."),
    VERBOSITY("systemLog.verbosity", "--verbose", Kind.INTEGER, "0", "0 logs what matters, up to 5 logs more. -vv is 2."),
    QUIET("systemLog.quiet", "--quiet", Kind.FLAG, "false", "Log warnings and errors only."),
    PID_FILE(
            "processManagement.pidFilePath", "--pidfilepath", Kind.TEXT, "", "File to write the process number to.");

    /** What a value may be. */
    sealed interface Kind {
        Kind TEXT = new Text();
        Kind INTEGER = new Whole();
        Kind FLAG = new Flag();
        Kind LIST = new Text();

        /** Null or what is wrong with this value. */
        default Optional<String> objection(String value) {
            return switch (this) {
                case Text text -> value.isEmpty() ? Optional.of("must not be empty") : Optional.empty();
                case Whole whole ->
                    value.matches("[0-9]{1,9}") ? Optional.empty() : Optional.of("must be a number, not '" + value + "'");
                case Flag flag ->
                    value.matches("true|false")
                            ? Optional.empty()
                            : Optional.of("must be true or false, not '" + value + "'");
                case OneOf one ->
                    List.of(one.values).contains(value)
                            ? Optional.empty()
                            : Optional.of("must be one of " + String.join(", ", one.values) + ", not '" + value + "'");
                case Only only ->
                    only.value.equals(value)
                            ? Optional.empty()
                            : Optional.of("'" + value + "' is not supported yet, only '" + only.value + "'");
            };
        }

        record Text() implements Kind {}

        record Whole() implements Kind {}

        record Flag() implements Kind {}

        record OneOf(String... values) implements Kind {}

        record Only(String value) implements Kind {}
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

    Kind kind() {
        return kind;
    }

    boolean isFlag() {
        return kind instanceof Kind.Flag;
    }

    String fallback() {
        return fallback;
    }

    String description() {
        return description;
    }

    static Optional<StartOption> ofKey(String key) {
        return Arrays.stream(values())
                .filter(each -> !key.isEmpty() && each.key.equals(key))
                .findFirst();
    }
}
