package dev.semel.blackpipe.audit;

import com.mongodb.ConnectionString;
import com.mongodb.MongoSocketException;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.blackpipe.PyMongo;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.bson.Document;

/** Ways to count a visit, each with one increment of a day's counter, and what the counter shows. */
final class Counting {
    static final Document DAY = new Document("_id", "day");
    static final Document INCREMENT = new Document("$inc", new Document("counter", 1));
    static final String BY_HAND = "&retryWrites=false";

    private Counting() {}

    static String database(String uri) {
        return Objects.requireNonNull(new ConnectionString(uri).getDatabase());
    }

    static long counter(String uri) {
        try (var client = MongoClients.create(uri)) {
            Document day = client.getDatabase(database(uri))
                    .getCollection("days")
                    .find(DAY)
                    .first();
            return day == null ? 0 : day.getInteger("counter");
        }
    }

    /** With the official driver, and up to that many attempts after network errors. */
    static void increment(String uri, int attempts) {
        try (var client = MongoClients.create(uri)) {
            var days = client.getDatabase(database(uri)).getCollection("days");
            for (int i = 1; ; i++) {
                try {
                    days.updateOne(DAY, INCREMENT, new UpdateOptions().upsert(true));
                    return;
                } catch (MongoSocketException e) {
                    if (i == attempts) {
                        throw e;
                    }
                }
            }
        }
    }

    static void incrementWithPyMongo(String uri) throws IOException {
        String said = PyMongo.run("""
            import sys, pymongo
            days = pymongo.MongoClient(sys.argv[1]).get_default_database().days
            days.update_one({"_id": "day"}, {"$inc": {"counter": 1}}, upsert=True)
            print("done")
            """, uri);
        if (!said.equals("done")) {
            throw new IllegalStateException(said);
        }
    }

    /** Each fault point whose verdict is not "correct", with that verdict. */
    static Map<String, String> wrong(AuditReport report) {
        Map<String, String> wrong = new TreeMap<>();
        for (Finding each : report.findings()) {
            if (each.verdict() != Verdict.CORRECT) {
                wrong.put(each.point().toString(), each.verdict().label());
            }
        }
        return wrong;
    }
}
