package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.semel.driver.model.Filters;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Documents that stay bytes. */
class RawDocumentTest {
    private static TestServer server;
    private static MongoClient client;

    @BeforeAll
    static void start() throws IOException {
        server = TestServer.start();
        client = server.connect("", settings -> {});
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static MongoCollection<RawDocument> collection(String name) {
        return client.getDatabase("raw").getCollection(name, RawDocument.class);
    }

    @Test
    void documentComesBackAsItWasInserted() {
        var collection = collection("same");
        RawDocument document =
                Json.parse("{\"b\": [1, {\"c\": null}], \"_id\": 7, \"a\": {\"$numberDecimal\": \"1.50\"}}");
        collection.insertOne(document);
        RawDocument found =
                Objects.requireNonNull(collection.find(Filters.eq(7)).first());
        assertThat(found.get("a")).isEqualTo(document.get("a"));
        assertThat(found.get("b")).isEqualTo(document.get("b"));
        assertThat(found.get("_id")).isEqualTo(new Value.Int32(7));
    }

    @Test
    void documentWithoutIdGetsOneThatIsReported() {
        var collection = collection("ids");
        var id = collection.insertOne(Json.parse("{\"a\": 1}")).getInsertedId();
        assertThat(id).isNotNull();
        assertThat(client.getDatabase("raw")
                        .getCollection("ids")
                        .find(Filters.eq(id))
                        .first())
                .containsEntry("a", 1);
    }

    @Test
    void resultsOfFindAndModifyAndCommandsAreRawToo() {
        var collection = collection("results");
        collection.insertOne(Json.parse("{\"_id\": 1}"));
        RawDocument deleted = collection.findOneAndDelete(Filters.eq(1));
        assertThat(deleted).isEqualTo(Json.parse("{\"_id\": 1}"));
        RawDocument reply = client.getDatabase("raw").runCommand(new Document("ping", 1), RawDocument.class);
        assertThat(reply.get("ok")).isEqualTo(new Value.Double64(1));
    }

    /** That is what they are for: a cursor over them costs little more than its replies. */
    @Test
    void cursorAllocatesLittleMoreThanItsReplies() {
        var name = "many";
        int count = 2_000;
        var text = "x".repeat(1_000);
        client.getDatabase("raw")
                .getCollection(name)
                .insertMany(IntStream.range(0, count)
                        .mapToObj(each -> new Document("_id", each).append("text", text))
                        .toList());
        List<RawDocument> found = new ArrayList<>(count);
        collection(name).find().into(found);
        long bytes = found.stream().mapToLong(RawDocument::length).sum();
        found.clear();
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        collection(name).find().into(found);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(found).hasSize(count);
        assertThat(allocated).isLessThan(bytes + bytes / 2);
    }
}
