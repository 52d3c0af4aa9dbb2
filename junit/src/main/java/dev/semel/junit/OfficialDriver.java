package dev.semel.junit;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;

/** Loaded only for tests that have the official driver. */
final class OfficialDriver {
    private OfficialDriver() {}

    static ConnectionString connectionString(TestDatabase database) {
        return new ConnectionString(database.uri());
    }

    static MongoClient client(TestDatabase database) {
        return database.client(MongoClient.class, MongoClients::create, MongoClient::close);
    }

    static MongoDatabase database(TestDatabase database) {
        return client(database).getDatabase(database.name());
    }
}
