package dev.semel.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.cluster.MemberHandle;
import java.nio.file.Path;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A clock that is wrong for a moment leaves its time in the log for ever. */
@Timeout(120)
class ClockJumpTest {
    /** More than a cluster time that a client has seen may be ahead. */
    private static final Duration TWO_YEARS = Duration.ofDays(730);

    private static final int READS = 50;

    @TempDir
    private Path folder;

    @Test
    void secondariesCanBeReadAfterAClockWasYearsAhead() throws Exception {
        try (FaultySet set = new FaultySet(folder, 3, false, Plant.NONE);
                MongoClient client = MongoClients.create(MemberHandle.connectionString(set.addresses()))) {
            set.awaitPrimary(Duration.ofSeconds(30));
            MongoCollection<Document> all =
                    client.getDatabase(FaultySet.DATABASE).getCollection("c").withWriteConcern(new WriteConcern(3));
            int primary = set.primary();
            set.clock(primary).move(TWO_YEARS);
            all.insertOne(new Document("_id", "later"));
            set.clock(primary).move(TWO_YEARS.negated());
            MongoCollection<Document> secondaries = all.withReadPreference(ReadPreference.secondary());
            for (int i = 0; i < READS; i++) {
                all.withWriteConcern(WriteConcern.W1).insertOne(new Document("_id", i));
                assertThat(secondaries.find(new Document("_id", "later")).first())
                        .isNotNull();
            }
        }
    }
}
