package dev.semel.bench.driver;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.List;
import org.bson.Document;

/** The official synchronous driver. */
final class OfficialSubject implements Subject {
    private final MongoClient client;
    private final MongoCollection<Document> collection;
    private final MongoCollection<Document> inserted;

    OfficialSubject(String uri, String collectionName) {
        client = MongoClients.create(uri);
        collection = client.getDatabase("bench").getCollection(collectionName);
        inserted = client.getDatabase("bench").getCollection(collectionName + "Inserted");
    }

    @Override
    public String name() {
        return "mongodb-driver-sync";
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
