package dev.semel.samples.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.semel.junit.EveryFaultPoint;
import dev.semel.junit.Faults;
import dev.semel.junit.SemelTest;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@SemelTest
class TicketShopTest {
    private static TicketShop shopWith(int seats, MongoClient client, MongoDatabase database) {
        database.getCollection("concerts").insertOne(new Document("_id", "Bach").append("seats", seats));
        return new TicketShop(client, database);
    }

    @Test
    void lastTicketIsSoldOnce(MongoClient client, MongoDatabase database) {
        var shop = shopWith(1, client, database);
        assertThat(shop.buy("Bach", "Ada")).isTrue();
        assertThat(shop.buy("Bach", "Eve")).isFalse();
        assertThat(database.getCollection("tickets").find().map(ticket -> ticket.getString("buyer")))
                .containsExactly("Ada");
    }

    @Test
    @Faults("- {match: {command: commitTransaction}, phase: afterApply, action: close}")
    void ticketIsSoldOnceAlthoughTheReplyToTheCommitIsLost(MongoClient client, MongoDatabase database) {
        assertThat(shopWith(2, client, database).buy("Bach", "Ada")).isTrue();
        assertThat(database.getCollection("tickets").countDocuments()).isEqualTo(1);
    }

    /** An order carries its own number, so that placing it twice is placing it once. */
    @EveryFaultPoint(timesApplied = "orders")
    void orderIsPlacedOnce(MongoDatabase database) {
        database.getCollection("orders").insertOne(new Document("_id", "order 7"));
    }

    long orders(MongoDatabase database) {
        return database.getCollection("orders").countDocuments();
    }
}
