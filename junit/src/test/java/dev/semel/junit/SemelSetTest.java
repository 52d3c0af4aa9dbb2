package dev.semel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.semel.cluster.Cluster;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@SemelTest(members = 3)
class SemelSetTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Each time all members run again. */
    @RepeatedTest(2)
    void testMayStopThePrimary(Cluster set, MongoDatabase database, dev.semel.driver.MongoDatabase own)
            throws Exception {
        var counters = database.getCollection("counters");
        assertThat(counters.countDocuments()).isZero();
        counters.withWriteConcern(new WriteConcern(3)).insertOne(new Document("_id", 1).append("n", 0));
        set.stop(set.awaitPrimary(SOON));
        own.getCollection("counters").updateOne(new Document("_id", 1), new Document("$inc", new Document("n", 1)));
        assertThat(counters.find().first()).isEqualTo(new Document("_id", 1).append("n", 1));
    }

    @Nested
    class Inside {
        @Test
        void setIsTheSame(MongoClient client, Cluster set) {
            assertThat(client.getDatabase("admin")
                            .runCommand(new Document("hello", 1))
                            .getList("hosts", String.class))
                    .hasSize(set.size());
        }
    }
}
