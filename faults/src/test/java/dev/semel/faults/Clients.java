package dev.semel.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.cluster.MemberHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.bson.Document;

/** Of one set. */
final class Clients implements AutoCloseable {
    private static final long SELECTION_MS = 20_000;
    private static final long DIRECT_SELECTION_MS = 200;

    /** The official driver, as an application would use it. */
    private final MongoClient official;

    /** This project's. */
    private final dev.semel.driver.MongoClient own;

    /** One for each member, which it asks whatever that is. */
    private final List<MongoClient> direct;

    private final LongSupplier ableNanos;

    /** @param ableNanos time in which the set could do something, from some moment on */
    Clients(List<String> addresses, LongSupplier ableNanos) {
        this.ableNanos = ableNanos;
        direct = addresses.stream()
                .map(each -> MongoClients.create(
                        settings("mongodb://" + each + "/?directConnection=true", DIRECT_SELECTION_MS)))
                .toList();
        official = MongoClients.create(settings(MemberHandle.connectionString(addresses), SELECTION_MS));
        own = dev.semel.driver.MongoClients.create(MemberHandle.connectionString(addresses)
                + "&heartbeatFrequencyMS=500&serverSelectionTimeoutMS=" + SELECTION_MS);
    }

    private static MongoClientSettings settings(String uri, long selectionMs) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(selectionMs, TimeUnit.MILLISECONDS))
                .applyToServerSettings(server -> server.heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                        .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
                .build();
    }

    /** For something that the set should do. */
    Patience patience(Duration atMost) {
        return new Patience(ableNanos, atMost);
    }

    MongoClient official() {
        return official;
    }

    dev.semel.driver.MongoClient own() {
        return own;
    }

    MongoCollection<Document> collection(String name) {
        return official.getDatabase(FaultySet.DATABASE).getCollection(name);
    }

    MongoCollection<Document> direct(int member, String name) {
        return direct.get(member).getDatabase(FaultySet.DATABASE).getCollection(name);
    }

    @Override
    public void close() {
        direct.forEach(MongoClient::close);
        official.close();
        own.close();
    }
}
