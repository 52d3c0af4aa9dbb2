package dev.semel.samples.junit;

import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.junit.EveryFaultPoint;
import org.bson.Document;

class VisitsTest {
    private final Document day = new Document("_id", "day");

    @EveryFaultPoint(timesApplied = "visits")
    void countVisit(MongoDatabase database) {
        database.getCollection("days").updateOne(day, inc("counter", 1), new UpdateOptions().upsert(true));
    }

    long visits(MongoDatabase database) {
        Document found = database.getCollection("days").find(day).first();
        return found == null ? 0 : found.getInteger("counter");
    }
}
