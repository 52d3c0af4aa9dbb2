package dev.semel.samples.junit;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;

/** Sells tickets as long as there are any. */
public final class TicketShop {
    private final MongoClient client;
    private final MongoCollection<Document> concerts;
    private final MongoCollection<Document> tickets;

    /** The client is the one that the database is of. */
    public TicketShop(MongoClient client, MongoDatabase database) {
        this.client = client;
        this.concerts = database.getCollection("concerts");
        this.tickets = database.getCollection("tickets");
    }

    /** Whether a ticket was left; if so it is the buyer's. */
    public boolean buy(String concert, String buyer) {
        try (var session = client.startSession()) {
            return session.withTransaction(() -> {
                var seats = new Document("_id", concert).append("seats", new Document("$gt", 0));
                var taken = concerts.updateOne(session, seats, new Document("$inc", new Document("seats", -1)));
                if (taken.getModifiedCount() == 0) {
                    return false;
                }
                tickets.insertOne(session, new Document("concert", concert).append("buyer", buyer));
                return true;
            });
        }
    }
}
