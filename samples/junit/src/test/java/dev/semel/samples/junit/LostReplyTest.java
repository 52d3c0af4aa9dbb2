package dev.semel.samples.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import dev.semel.junit.Faults;
import dev.semel.junit.SemelTest;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@SemelTest
class LostReplyTest {
    @Test
    @Faults("- {match: {command: insert}, phase: afterApply, action: close}")
    void insertHappensOnceAlthoughItsReplyIsLost(MongoDatabase database) {
        database.getCollection("orders").insertOne(new Document());
        assertThat(database.getCollection("orders").countDocuments()).isEqualTo(1);
    }
}
