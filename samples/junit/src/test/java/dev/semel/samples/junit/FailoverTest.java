package dev.semel.samples.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.semel.cluster.Cluster;
import dev.semel.junit.SemelTest;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Test;

@SemelTest(members = 3)
class FailoverTest {
    @Test
    void incrementHappensOnceAlthoughThePrimaryStops(Cluster set, MongoDatabase database) throws Exception {
        database.getCollection("visits").insertOne(new Document("_id", "page").append("n", 0));
        set.stop(set.awaitPrimary(Duration.ofSeconds(10)));
        database.getCollection("visits").updateOne(Filters.eq("page"), Updates.inc("n", 1));
        assertThat(database.getCollection("visits").find()).containsExactly(new Document("_id", "page").append("n", 1));
    }
}
