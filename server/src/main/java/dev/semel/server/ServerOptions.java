package dev.semel.server;

import dev.semel.server.tls.Tls;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How to start a server. Begin with {@link #memory} or {@link #directory}; each method returns changed options.
 *
 * @param directory the data directory; null to keep the data in memory
 * @param addresses to listen on; empty for a server that is only used inside its own process
 * @param port 0 for a free one
 * @param replicaSet the name of the replica set whose only member this server is; null for a standalone server
 * @param advertised the address under which clients reach it, with or without a port; null for the one it listens on
 * @param parameters server parameters and their values, as {@code --setParameter} has them
 * @param slowOperationMs operations that take at least this long are logged
 * @param arguments the command line, for {@code getCmdLineOpts}
 * @param parsed the parsed command line
 * @param security authentication, users and TLS
 * @param fatal called when the server cannot go on, because data can no longer be written, memory ran out or
 *         one of its threads died. Acknowledged writes may not be on disk, so the process should end. Null to stop only
 *         the server
 */
public record ServerOptions(
        @Nullable Path directory,
        List<String> addresses,
        int port,
        @Nullable String replicaSet,
        @Nullable String advertised,
        List<Compressor> compressors,
        Map<String, String> parameters,
        long slowOperationMs,
        List<String> arguments,
        RawDocument parsed,
        Security security,
        @Nullable Consumer<Throwable> fatal) {
    /** The default port of {@code mongod}. */
    public static final int DEFAULT_PORT = 27017;

    private static final String DEFAULT_REPLICA_SET = "rs0";

    public ServerOptions {
        addresses = List.copyOf(addresses);
        compressors = List.copyOf(compressors);
        parameters = Map.copyOf(parameters);
        arguments = List.copyOf(arguments);
    }

    /** Data in memory, lost when the server stops; a free port on the loopback address. */
    public static ServerOptions memory() {
        return new ServerOptions(
                null,
                List.of("127.0.0.1"),
                0,
                DEFAULT_REPLICA_SET,
                null,
                List.of(Compressor.SNAPPY, Compressor.ZSTD, Compressor.ZLIB),
                Map.of(),
                100,
                List.of(),
                RawDocument.EMPTY,
                Security.NONE,
                null);
    }

    /** Durable data in a directory, which is created if it does not exist. */
    public static ServerOptions directory(Path directory) {
        return memory().with(next -> next.directory = directory);
    }

    /** No port: only {@link Server#connect} reaches it. */
    public ServerOptions inProcess() {
        return listening(List.of(), 0);
    }

    public ServerOptions port(int chosen) {
        return listening(addresses, chosen);
    }

    /** Host names or addresses; each is bound to the same port. */
    public ServerOptions listening(List<String> where, int chosen) {
        return with(next -> {
            next.addresses = where;
            next.port = chosen;
        });
    }

    public ServerOptions replicaSet(String name) {
        return replication(name, advertised);
    }

    /** No replica set: drivers then cannot retry writes. */
    public ServerOptions standalone() {
        return replication(null, advertised);
    }

    public ServerOptions advertise(String hostAndPort) {
        return replication(replicaSet, hostAndPort);
    }

    private ServerOptions replication(@Nullable String name, @Nullable String address) {
        return with(next -> {
            next.replicaSet = name;
            next.advertised = address;
        });
    }

    /** The compressors offered to clients; clients choose by their own order. */
    public ServerOptions compressors(List<Compressor> offered) {
        return with(next -> next.compressors = offered);
    }

    /** Server parameters by name; unknown ones and wrong values fail the start. */
    public ServerOptions parameters(Map<String, String> values) {
        return with(next -> next.parameters = values);
    }

    public ServerOptions slowOperationMs(long limit) {
        return with(next -> next.slowOperationMs = limit);
    }

    /** For {@code getCmdLineOpts}. */
    public ServerOptions startedWith(List<String> commandLine, RawDocument understood) {
        return with(next -> {
            next.arguments = commandLine;
            next.parsed = understood;
        });
    }

    /** Clients must authenticate, and may do what their roles allow. */
    public ServerOptions accessControl() {
        return security(security.withAccessControl());
    }

    /**
     * A user of {@code admin} that exists when the server accepts commands; created if there is no user with this name.
     */
    public ServerOptions user(String name, String password, String... roles) {
        return security(security.with(new Security.NewUser(name, password, List.of(roles))));
    }

    /** Connections can or must be encrypted. */
    public ServerOptions tls(Tls encryption) {
        return security(security.with(encryption));
    }

    private ServerOptions security(Security other) {
        return with(next -> next.security = other);
    }

    public ServerOptions onFatal(Consumer<Throwable> told) {
        return with(next -> next.fatal = told);
    }

    private ServerOptions with(Consumer<Next> change) {
        var next = new Next(this);
        change.accept(next);
        return next.options();
    }

    /** Options that are about to differ from others. */
    private static final class Next {
        private @Nullable Path directory;
        private List<String> addresses;
        private int port;
        private @Nullable String replicaSet;
        private @Nullable String advertised;
        private List<Compressor> compressors;
        private Map<String, String> parameters;
        private long slowOperationMs;
        private List<String> arguments;
        private RawDocument parsed;
        private Security security;
        private @Nullable Consumer<Throwable> fatal;

        Next(ServerOptions from) {
            directory = from.directory;
            addresses = from.addresses;
            port = from.port;
            replicaSet = from.replicaSet;
            advertised = from.advertised;
            compressors = from.compressors;
            parameters = from.parameters;
            slowOperationMs = from.slowOperationMs;
            arguments = from.arguments;
            parsed = from.parsed;
            security = from.security;
            fatal = from.fatal;
        }

        ServerOptions options() {
            return new ServerOptions(
                    directory,
                    addresses,
                    port,
                    replicaSet,
                    advertised,
                    compressors,
                    parameters,
                    slowOperationMs,
                    arguments,
                    parsed,
                    security,
                    fatal);
        }
    }
}
