package dev.semel.samples.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import dev.semel.junit.SemelTest;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@SemelTest
class OrdersTest {
    @Test
    void orderIsStored(MongoDatabase database) {
        database.getCollection("orders").insertOne(new Document("item", "tea"));
        assertThat(database.getCollection("orders").countDocuments()).isEqualTo(1);
    }
}
