package dev.semel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.blackpipe.fault.PlanText;
import dev.semel.blackpipe.proxy.Proxy;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

@SemelTest
class SemelTestTest {
    private static final Document DAY = new Document("_id", "day");

    @RepeatedTest(3)
    void everyTestHasAnEmptyDatabase(MongoDatabase database) {
        assertThat(database.getCollection("c").countDocuments()).isZero();
        database.getCollection("c").insertOne(new Document());
    }

    @Test
    void parametersLeadToTheSameDatabase(
            String uri,
            MongoDatabase database,
            MongoClient client,
            dev.semel.driver.MongoDatabase own,
            SemelServer server) {
        database.getCollection("c").insertOne(new Document("_id", 1));
        assertThat(own.getCollection("c").countDocuments()).isEqualTo(1);
        assertThat(client.getDatabase(database.getName()).getCollection("c").countDocuments())
                .isEqualTo(1);
        assertThat(uri).isEqualTo(server.getReplicaSetUrl(database.getName()));
    }

    @Test
    void transactionsAndChangeStreamsWork(MongoClient client, MongoDatabase database) {
        var collection = database.getCollection("c");
        try (var changes = collection.watch().cursor();
                var session = client.startSession()) {
            session.withTransaction(() -> collection.insertOne(session, new Document("_id", 7)));
            assertThat(changes.next().getDocumentKey()).isEqualTo(new BsonDocument("_id", new BsonInt32(7)));
        }
    }

    @Test
    @Faults("- {match: {command: insert}, phase: afterApply, action: close}")
    void faultsStandBetweenTestAndServer(MongoDatabase database, Proxy proxy) {
        database.getCollection("c").insertOne(new Document());
        assertThat(database.getCollection("c").countDocuments()).isEqualTo(1);
        assertThat(proxy.plan().status())
                .singleElement()
                .satisfies(each -> assertThat(each.injected()).isEqualTo(1));
    }

    @Test
    @Faults
    void planMayComeLater(MongoDatabase database, Proxy proxy) {
        database.getCollection("c").insertOne(new Document());
        proxy.plan().replace(PlanText.parse("- {match: {command: insert}, action: {error: 121}}", "test"));
        assertThatThrownBy(() -> database.getCollection("c").insertOne(new Document()))
                .isInstanceOf(MongoException.class)
                .hasMessageContaining("121");
    }

    @Nested
    @TestMethodOrder(MethodOrderer.MethodName.class)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class AfterATest {
        private String first = "";

        @Test
        void aDatabaseIsFilled(MongoDatabase database) {
            database.getCollection("c").insertOne(new Document());
            first = database.getName();
        }

        @Test
        void bItIsGone(MongoClient client) {
            assertThat(client.listDatabaseNames()).doesNotContain(first);
        }
    }

    @EveryFaultPoint(timesApplied = "visits")
    void countVisit(MongoDatabase database) {
        database.getCollection("days")
                .updateOne(DAY, new Document("$inc", new Document("counter", 1)), new UpdateOptions().upsert(true));
    }

    long visits(MongoDatabase database) {
        var day = database.getCollection("days").find(DAY).first();
        return day == null ? 0 : day.getInteger("counter");
    }
}
