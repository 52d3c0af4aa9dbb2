import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.MongoDatabase;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.model.Filters;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.Updates;
import dev.semel.driver.setting.ReadConcern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.bson.Document;

/**
 * Increments a counter for some seconds, whatever happens to the servers, and says whether it is exact.
 *
 * <pre>
 *     java -cp semel.jar Counter.java 60
 * </pre>
 */
public class Counter {
    private static final String LOCAL = "mongodb://127.0.0.1:27017,127.0.0.1:27018,127.0.0.1:27019/?replicaSet=rs0";

    /** The driver tells here of each wait for a primary. */
    private static final Logger DRIVER = Logger.getLogger("dev.semel");

    public static void main(String[] args) throws Exception {
        DRIVER.setLevel(Level.WARNING);
        String counter = "semel-" + UUID.randomUUID();
        long end = System.nanoTime() + Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 60).toNanos();
        int acknowledged = 0;
        List<String> settled = new ArrayList<>();
        try (var client = MongoClients.create(System.getenv().getOrDefault("MONGODB_URI", LOCAL))) {
            MongoCollection<Document> counters = client.getDatabase("failover")
                    .getCollection("counters")
                    .withReadConcern(ReadConcern.LINEARIZABLE);
            while (System.nanoTime() < end) {
                String token = UUID.randomUUID().toString();
                try {
                    counters.updateOne(
                            Filters.eq(counter),
                            Updates.inc("n", 1),
                            new UpdateOptions().upsert(true).once(token));
                    acknowledged++;
                } catch (MongoException e) {
                    System.err.println("semel: unknown outcome: " + e.getMessage());
                    settled.add(outcome(client.getDatabase("admin"), token));
                }
            }
            int applied = Collections.frequency(settled, "applied");
            Document found = persistently(() -> counters.find(Filters.eq(counter)).first());
            int n = found == null ? 0 : found.getInteger("n");
            boolean isExact = n == acknowledged + applied;
            System.out.printf(
                    "semel: acknowledged %d, unknown outcomes %d, of them applied %d: the counter is %d, %s the sum%n",
                    acknowledged, settled.size(), applied, n, isExact ? "exactly" : "and NOT");
            System.exit(isExact ? 0 : 1);
        }
    }

    /** What happened to the write with this token: applied, or notApplied. Then it will not be applied later either. */
    private static String outcome(MongoDatabase admin, String token) {
        Document question = new Document("writeOutcome", new Document("once", token));
        while (true) {
            String answer = persistently(() -> admin.runCommand(question)).getString("outcome");
            if (!answer.equals("inProgress")) {
                return answer;
            }
        }
    }

    /** Asks again until there is an answer. That is safe for what changes nothing. */
    private static <T> T persistently(Supplier<T> question) {
        while (true) {
            try {
                return question.get();
            } catch (MongoException e) {
                try {
                    Thread.sleep(100);
                } catch (InterruptedException stop) {
                    throw new IllegalStateException(stop);
                }
            }
        }
    }
}
