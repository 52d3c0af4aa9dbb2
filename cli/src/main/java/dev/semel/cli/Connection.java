package dev.semel.cli;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClientSettings;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.UriOption;
import java.io.IOException;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The collection that {@code import} and {@code export} work on. */
final class Connection implements AutoCloseable {
    private static final String URI = "--uri";
    private static final String DATABASE = "--db";
    private static final String COLLECTION = "--collection";
    private static final String DEFAULT_URI = "mongodb://127.0.0.1:27017";

    /**
     * How long the first look for a server may take, unless the connection string says. What comes later has the driver's
     * own limit, which is long enough for a replica set to elect a primary.
     */
    private static final Duration FIRST_SELECTION_MAX = Duration.ofMillis(2500);

    /** The driver's log would stand between our lines. Kept, or the level would be collected with it. */
    private static final Logger DRIVER_LOG = Logger.getLogger("dev.semel.driver");

    private final MongoClient client;
    private final String database;
    private final String collection;

    @FunctionalInterface
    interface Work<T> {
        T on(MongoCollection<RawBsonDocument> collection) throws IOException;
    }

    private Connection(MongoClient client, String database, String collection) {
        this.client = client;
        this.database = database;
        this.collection = collection;
    }

    static void declare(CommandSpec spec) {
        spec.addOption(OptionSpec.builder(URI)
                .paramLabel("URI")
                .type(String.class)
                .defaultValue("mongodb://127.0.0.1:27017")
                .description("Connection string of the server. Default: ${DEFAULT-VALUE}.")
                .build());
        spec.addOption(OptionSpec.builder("-d", DATABASE)
                .paramLabel("NAME")
                .type(String.class)
                .description("Database; not needed when the connection string names one.")
                .build());
        spec.addOption(OptionSpec.builder("-c", COLLECTION)
                .paramLabel("NAME")
                .type(String.class)
                .description("Collection.")
                .build());
    }

    /** A {@link ServerFailure} if no server answers soon. */
    static Connection open(ParseResult parsed) throws ServerFailure {
        DRIVER_LOG.setLevel(Level.OFF);
        String text = parsed.matchedOptionValue(URI, DEFAULT_URI);
        try {
            var uri = new ConnectionString(text);
            if (!uri.warnings().isEmpty()) {
                throw new BadOption("--uri: " + uri.warnings().getFirst());
            }
            @Nullable String named = parsed.matchedOptionValue(DATABASE, uri.getDatabase());
            if (named == null) {
                throw new BadOption("no database: give --db, or name it in the connection string");
            }
            @Nullable String collection = parsed.matchedOptionValue(COLLECTION, null);
            if (collection == null) {
                throw new BadOption("no collection: give --collection");
            }
            var settings = MongoClientSettings.builder()
                    .applyConnectionString(uri)
                    .applicationName("semel")
                    .build();
            refuseUnreachable(uri, settings);
            return new Connection(MongoClients.create(settings), named, collection);
        } catch (IllegalArgumentException e) {
            throw new BadOption("--uri: " + e.getMessage());
        }
    }

    private static void refuseUnreachable(ConnectionString uri, MongoClientSettings settings) throws ServerFailure {
        var soon = MongoClientSettings.builder(settings);
        if (uri.option(UriOption.SERVER_SELECTION_TIMEOUT_MS) == null) {
            soon.applyToClusterSettings(each -> each.serverSelectionTimeout(FIRST_SELECTION_MAX));
        }
        try (var client = MongoClients.create(soon.build())) {
            try {
                client.getDatabase("admin").runCommand(new Document("ping", 1), settings.getReadPreference());
            } catch (MongoException e) {
                throw failure(e, client.getClusterDescription());
            }
        }
    }

    /** In one line: the driver's own message describes all that it knows. */
    private static ServerFailure failure(MongoException cause, TopologyDescription servers) {
        var message = switch (cause) {
            case MongoTimeoutException ignored -> unreachable(servers);
            case MongoCommandException refused -> refused.getErrorCodeName() + ": " + refused.getErrorMessage();
            default -> String.valueOf(cause.getMessage());
        };
        return new ServerFailure(message, cause);
    }

    private static String unreachable(TopologyDescription servers) {
        if (servers.servers().isEmpty()) {
            return "the servers of the connection string do not belong to its replica set";
        }
        return servers.servers().stream().map(Connection::unreachable).collect(Collectors.joining("; "));
    }

    private static String unreachable(ServerDescription server) {
        var error = server.error();
        if (error == null) {
            return "cannot use " + server.address() + ": "
                    + (server.roundTripTime() == null
                            ? "no answer"
                            : "it is a " + server.type().label());
        }
        Throwable root = error;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "cannot connect to " + server.address() + ": "
                + String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    }

    /** What is done with the collection; a {@link ServerFailure} says in one line what the server or the network refused. */
    <T> T use(Work<T> work) throws IOException {
        try {
            return work.on(client.getDatabase(database).getCollection(collection, RawBsonDocument.class));
        } catch (MongoException e) {
            throw failure(e, client.getClusterDescription());
        }
    }

    String namespace() {
        return database + "." + collection;
    }

    @Override
    public void close() {
        client.close();
    }
}
