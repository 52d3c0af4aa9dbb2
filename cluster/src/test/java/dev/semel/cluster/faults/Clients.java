package dev.semel.cluster.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.cluster.MemberHandle;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** Of one set. */
final class Clients implements AutoCloseable {
    private static final long SELECTION_MS = 20_000;

    /** The official driver, as an application would use it. */
    private final MongoClient official;

    Clients(List<String> addresses) {
        official = MongoClients.create(settings(MemberHandle.connectionString(addresses)));
    }

    private static MongoClientSettings settings(String uri) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(SELECTION_MS, TimeUnit.MILLISECONDS))
                .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                        .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
                .build();
    }

    MongoClient official() {
        return official;
    }

    MongoCollection<Document> collection(String name) {
        return official.getDatabase(FaultySet.DATABASE).getCollection(name);
    }

    @Override
    public void close() {
        official.close();
    }
}
