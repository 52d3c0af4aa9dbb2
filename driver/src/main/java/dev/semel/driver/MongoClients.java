package dev.semel.driver;

import dev.semel.driver.setting.ConnectionString;

/** Makes clients. */
public final class MongoClients {
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
        return LiveClient.open(settings.getClusterSettings().srvHost() == null ? settings : SrvHosts.resolve(settings));
    }
}
