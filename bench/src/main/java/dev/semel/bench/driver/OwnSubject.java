package dev.semel.bench.driver;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClientSettings;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandSucceededEvent;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.setting.ConnectionString;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.bson.Document;

/** This project's driver. */
final class OwnSubject implements Subject {
    private final MongoClient client;
    private final MongoCollection<Document> collection;
    private final MongoCollection<Document> inserted;

    private final String name;

    private OwnSubject(String name, MongoClientSettings settings) {
        this.name = name;
        client = MongoClients.create(settings);
        collection = client.getDatabase("bench").getCollection(name);
        inserted = client.getDatabase("bench").getCollection(name + "-inserted");
    }

    static OwnSubject ordinary(String uri) {
        return new OwnSubject("semel-driver", settings(uri).build());
    }

    static OwnSubject withoutRetries(String uri) {
        var settings = settings(uri).retryReads(false).retryWrites(false).build();
        return new OwnSubject("without-retries", settings);
    }

    /** With listeners for every command, every retry and every change of the pool. */
    static OwnSubject watched(String uri) {
        var commands = new LongAdder();
        var settings = settings(uri)
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                        commands.increment();
                    }
                })
                .addRetryListener(new RetryListener() {})
                .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(event -> {}))
                .build();
        return new OwnSubject("watched", settings);
    }

    private static MongoClientSettings.Builder settings(String uri) {
        return MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void drop() {
        collection.drop();
        inserted.drop();
    }

    @Override
    public void load(List<Document> documents) {
        collection.insertMany(documents);
    }

    @Override
    public void insertOne(Document document) {
        inserted.insertOne(document);
    }

    @Override
    public void insertMany(List<Document> documents) {
        inserted.insertMany(documents);
    }

    @Override
    public boolean findId(int id) {
        return collection.find(new Document("_id", id)).first() != null;
    }

    @Override
    public int readAll() {
        int count = 0;
        try (var cursor = collection.find().cursor()) {
            while (cursor.hasNext()) {
                cursor.next();
                count++;
            }
        }
        return count;
    }

    @Override
    public void close() {
        client.close();
    }
}
