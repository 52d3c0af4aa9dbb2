package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the configuration says counts from the next start, and before there is one what the set is begun with. */
@Timeout(60)
class ElectionTimeoutTest {
    private static final Duration BEGUN_WITH = Duration.ofMillis(800);

    private final List<Duration> used = new ArrayList<>();

    @TempDir
    private Path folder;

    private Member start(String self) throws IOException {
        SetOptions set = new SetOptions("rs0", List.of(self), self, folder.resolve("log"), BEGUN_WITH);
        MemberParts parts = new MemberParts(
                InstantSource.system(),
                (options, links) -> {
                    used.add(options.electionTimeout());
                    return RatisNode.start(options, links);
                },
                UnaryOperator.identity());
        return Member.start(ServerOptions.directory(folder.resolve("data")).port(SetOptions.port(self)), set, parts);
    }

    @Test
    void ofTheConfiguration() throws Exception {
        String self = Cluster.freeAddresses(1).getFirst();
        try (Member member = start(self);
                MongoClient client = MongoClients.create(member.server().connectionString())) {
            MongoDatabase admin = client.getDatabase("admin");
            // It waits for the primary.
            client.getDatabase("test").getCollection("c").insertOne(new Document());
            Document config =
                    admin.runCommand(new Document("replSetGetConfig", 1)).get("config", Document.class);
            Document settings = config.get("settings", Document.class);
            assertThat(settings.getInteger("electionTimeoutMillis")).isEqualTo(800);
            settings.append("electionTimeoutMillis", 700);
            config.append("version", config.getInteger("version") + 1);
            admin.runCommand(new Document("replSetReconfig", config));
        }
        start(self).close();
        assertThat(used).containsExactly(BEGUN_WITH, Duration.ofMillis(700));
    }
}
