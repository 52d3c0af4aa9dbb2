package dev.semel.bench.driver;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import java.util.List;
import org.bson.Document;

/** This project's driver. */
final class OwnSubject implements Subject {
    private final MongoClient client;
    private final MongoCollection<Document> collection;

    OwnSubject(String uri, String collectionName) {
        client = MongoClients.create(uri);
        collection = client.getDatabase("bench").getCollection(collectionName);
    }

    @Override
    public String name() {
        return "semel-driver";
    }

    @Override
    public void drop() {
        collection.drop();
    }

    @Override
    public void insertOne(Document document) {
        collection.insertOne(document);
    }

    @Override
    public void insertMany(List<Document> documents) {
        collection.insertMany(documents);
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
