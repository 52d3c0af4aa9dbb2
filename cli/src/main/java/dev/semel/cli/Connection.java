package dev.semel.cli;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The collection that {@code import} and {@code export} are told of. */
final class Connection implements AutoCloseable {
    private static final String URI = "--uri";
    private static final String DATABASE = "--db";
    private static final String COLLECTION = "--collection";

    /** The driver's own remarks, which would stand between ours. Kept, or the levels would be collected with them. */
    private static final List<Logger> DRIVER_LOGS =
            List.of(Logger.getLogger("org.mongodb.driver"), Logger.getLogger("com.mongodb.internal"));

    private final MongoClient client;
    private final String database;
    private final String collection;

    private Connection(ConnectionString uri, String database, String collection) {
        this.client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(uri)
                .applicationName("semel")
                .build());
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

    static Connection open(ParseResult parsed) {
        DRIVER_LOGS.forEach(log -> log.setLevel(Level.OFF));
        String text = parsed.matchedOptionValue(URI, "mongodb://127.0.0.1:27017");
        try {
            var uri = new ConnectionString(text);
            @Nullable String named = parsed.matchedOptionValue(DATABASE, uri.getDatabase());
            if (named == null) {
                throw new BadOption("no database: give --db, or name it in the connection string");
            }
            @Nullable String collection = parsed.matchedOptionValue(COLLECTION, uri.getCollection());
            if (collection == null) {
                throw new BadOption("no collection: give --collection");
            }
            return new Connection(uri, named, collection);
        } catch (IllegalArgumentException e) {
            throw new BadOption("--uri: " + e.getMessage());
        }
    }

    MongoCollection<RawBsonDocument> collection() {
        return client.getDatabase(database).getCollection(collection, RawBsonDocument.class);
    }

    String namespace() {
        return database + "." + collection;
    }

    @Override
    public void close() {
        client.close();
    }
}
