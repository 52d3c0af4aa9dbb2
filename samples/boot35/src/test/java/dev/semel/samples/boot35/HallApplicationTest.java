package dev.semel.samples.boot35;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.semel.server.Server;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.mongodb.core.MongoTemplate;

/** The whole application, whose properties name a server that is not there. */
@SpringBootTest
class HallApplicationTest {
    @Test
    void applicationRunsOnTheServerOfItsTests(
            @Autowired Server server, @Autowired MongoClient client, @Autowired MongoTemplate template) {
        template.save(new Ticket(null, "Bach", "Ada"));
        assertThat(template.getDb().getName()).isEqualTo("hall");
        assertThat(client.getClusterDescription().getServerDescriptions())
                .singleElement()
                .satisfies(each -> assertThat(each.getAddress()).hasToString(server.address()));
    }

    @Test
    void whatChangesIsFollowed(@Autowired MongoTemplate template) throws InterruptedException {
        var seats = template.getCollection("concerts");
        try (var changes = seats.watch().maxAwaitTime(1, TimeUnit.SECONDS).cursor()) {
            template.save(new Concert("Brahms", 7));
            assertThat(changes.next().getFullDocument())
                    .containsEntry("_id", "Brahms")
                    .containsEntry("seats", 7);
        }
        assertThat(seats.countDocuments(new Document("_id", "Brahms"))).isEqualTo(1);
    }
}
