package dev.semel.junit;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoDatabase;

/** Loaded only for tests that have Semel's driver. */
final class OwnDriver {
    private OwnDriver() {}

    static MongoClient client(TestDatabase database) {
        return database.client(MongoClient.class, MongoClients::create, MongoClient::close);
    }

    static MongoDatabase database(TestDatabase database) {
        return client(database).getDatabase(database.name());
    }
}
