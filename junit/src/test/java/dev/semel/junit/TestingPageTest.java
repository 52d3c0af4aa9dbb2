package dev.semel.junit;

import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import org.bson.Document;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing.md, line by line; {@code ExamplesTest} sees to it that they are these. */
class TestingPageTest {
    private record Orders(MongoDatabase database) {
        void place(String what) {
            database.getCollection("orders").insertOne(new Document("what", what));
        }
    }

    @Nested
    @SemelTest
    class OrdersTest {
        @Test
        void orderIsStored(MongoDatabase database) {
            new Orders(database).place("tea");
            assertThat(database.getCollection("orders").countDocuments()).isEqualTo(1);
        }
    }

    @Nested
    @SemelTest
    class FaultyTest {
        private final Document day = new Document("_id", "day");

        @Test
        @Faults("- {match: {command: insert}, phase: afterApply, action: close}")
        void insertHappensOnceAlthoughItsReplyIsLost(MongoDatabase database) {
            database.getCollection("orders").insertOne(new Document());
            assertThat(database.getCollection("orders").countDocuments()).isEqualTo(1);
        }

        @EveryFaultPoint(timesApplied = "visits")
        void countVisit(MongoDatabase database) {
            database.getCollection("days").updateOne(day, inc("counter", 1), new UpdateOptions().upsert(true));
        }

        long visits(MongoDatabase database) {
            Document found = database.getCollection("days").find(day).first();
            return found == null ? 0 : found.getInteger("counter");
        }
    }
}
