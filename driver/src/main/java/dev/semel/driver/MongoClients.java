package dev.semel.driver;

import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.DriverInformation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes clients. */
public final class MongoClients {
    /** How often the seed list is looked up again, because routers may have been added or removed. */
    private static final Duration SEEDS_INTERVAL = Duration.ofSeconds(60);

    private MongoClients() {}

    public static MongoClient create() {
        return create("mongodb://localhost");
    }

    public static MongoClient create(String connectionString) {
        return create(new ConnectionString(connectionString));
    }

    public static MongoClient create(ConnectionString connectionString) {
        return create(MongoClientSettings.builder()
                .applyConnectionString(connectionString)
                .build());
    }

    public static MongoClient create(MongoClientSettings settings) {
        return create(settings, null);
    }

    /** For a library that uses the driver, which is added to the client metadata. */
    public static MongoClient create(MongoClientSettings settings, @Nullable DriverInformation library) {
        return LiveClient.open(settings, library, SEEDS_INTERVAL);
    }
}
