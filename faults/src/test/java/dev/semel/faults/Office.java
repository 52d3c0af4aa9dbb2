package dev.semel.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bson.Document;

/** What an administrator asks of the primary. While there is none, or it changes, the answer is no. Used by one thread. */
final class Office implements AutoCloseable {
    private static final int ANSWER_MS_MAX = 3_000;
    private static final int STEP_DOWN_SECS = 2;

    private final List<String> addresses;
    private final List<MongoClient> direct;

    Office(List<String> addresses) {
        this.addresses = addresses;
        this.direct = addresses.stream()
                .map(each -> MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString("mongodb://" + each + "/?directConnection=true"))
                        .timeout(ANSWER_MS_MAX, TimeUnit.MILLISECONDS)
                        .build()))
                .toList();
    }

    private Document run(int member, Document command) {
        return direct.get(member).getDatabase("admin").runCommand(command);
    }

    private boolean isDone(int member, Document command) {
        try {
            run(member, command);
            return true;
        } catch (MongoException e) {
            return false;
        }
    }

    /** What each says of itself. */
    List<Document> members() {
        return IntStream.range(0, addresses.size())
                .mapToObj(each -> {
                    try {
                        return run(each, new Document("hello", 1));
                    } catch (MongoException e) {
                        return new Document("error", e.getMessage());
                    }
                })
                .toList();
    }

    /** Even if no other member has caught up. */
    void stepDown(int primary) {
        isDone(
                primary,
                new Document("replSetStepDown", STEP_DOWN_SECS)
                        .append("secondaryCatchUpPeriodSecs", 1)
                        .append("force", true));
    }

    /** It is to be the primary as soon as it can be. */
    void prefer(int primary, int preferred) {
        reconfigure(primary, members -> {
            for (Document each : members) {
                each.put("priority", isAt(preferred).test(each) ? 2 : 1);
            }
        });
    }

    /** Returns whether it is so, as far as this primary knows. */
    boolean delay(int primary, int delayed, int secs) {
        return reconfigure(primary, members -> {
            for (Document each : members) {
                if (isAt(delayed).test(each)) {
                    each.append("priority", secs > 0 ? 0 : 1).append("secondaryDelaySecs", secs);
                }
            }
        });
    }

    void remove(int primary, int removed) {
        reconfigure(primary, members -> members.removeIf(isAt(removed)));
    }

    /** Returns whether it is a member, as far as this primary knows. */
    boolean add(int primary, int added) {
        return reconfigure(primary, members -> {
            if (members.stream().noneMatch(isAt(added))) {
                members.add(new Document("_id", added).append("host", addresses.get(added)));
            }
        });
    }

    /** Returns whether a write of this moment is on all members. */
    boolean isOnAll(int primary) {
        try {
            direct.get(primary)
                    .getDatabase(FaultySet.DATABASE)
                    .getCollection("caughtUp")
                    .withWriteConcern(new WriteConcern(addresses.size()))
                    .insertOne(new Document());
            return true;
        } catch (MongoException e) {
            return false;
        }
    }

    private Predicate<Document> isAt(int member) {
        return each -> addresses.get(member).equals(each.getString("host"));
    }

    /** Returns whether the configuration is so now, or was so before. */
    private boolean reconfigure(int primary, Consumer<List<Document>> change) {
        try {
            Document config = run(primary, new Document("replSetGetConfig", 1)).get("config", Document.class);
            Document next = Document.parse(config.toJson());
            change.accept(next.getList("members", Document.class));
            if (next.equals(Document.parse(config.toJson()))) {
                return true;
            }
            next.put("version", config.getInteger("version") + 1);
            return isDone(primary, new Document("replSetReconfig", next));
        } catch (MongoException e) {
            return false;
        }
    }

    @Override
    public void close() {
        direct.forEach(MongoClient::close);
    }
}
