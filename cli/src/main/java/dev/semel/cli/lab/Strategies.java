package dev.semel.cli.lab;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.model.UpdateOptions;
import java.util.List;
import org.bson.Document;
import org.bson.types.ObjectId;

/** The ways to increment a day's counter, from careless to careful. */
final class Strategies {
    static final Document DAY = new Document("_id", "2026-01-01");

    private static final Document INCREMENT = new Document("$inc", new Document("counter", 1));
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final String BY_HAND = "&retryWrites=false";

    private Strategies() {}

    static List<Strategy> all() {
        return List.of(
                new Strategy(
                        "don't retry",
                        "updateOne({_id: day}, {$inc: {counter: 1}}, upsert)",
                        "Send it. If there is an error, report it.",
                        BY_HAND,
                        (client, days, day) -> increment(days, day)),
                new Strategy(
                        "always retry",
                        "while (true) try { updateOne(...); break } catch (any error) {}",
                        "Send it until it goes well.",
                        BY_HAND,
                        (client, days, day) -> alwaysRetry(() -> increment(days, day))),
                new Strategy(
                        "retry once",
                        "try { updateOne(...) } catch (network error) { updateOne(...) }",
                        "After a network error, and only then, send it once more.",
                        BY_HAND,
                        (client, days, day) -> retryOnce(() -> increment(days, day))),
                new Strategy(
                        "make it idempotent",
                        "token = new ObjectId(); updateOne({_id: day}, {$addToSet: {pending: token}}, upsert);"
                            + " updateOne({_id: day, pending: token}, {$pull: {pending: token}, $inc: {counter: 1}})",
                        "First note a token, then exchange it for an increment; each step may be sent twice without"
                            + " harm, so each is retried once. At night, tokens that were left behind are exchanged.",
                        BY_HAND,
                        (client, days, day) -> idempotent(days, day)),
                new Strategy(
                        "retryable write",
                        "updateOne(...) with retryWrites=true, which is the default",
                        "The driver numbers the write and sends it once more after a network error; the server knows"
                                + " the number.",
                        "",
                        (client, days, day) -> increment(days, day)),
                new Strategy(
                        "with a token",
                        "token = new ObjectId().toHexString(); try { updateOne(..., {comment: {once: token}}) } catch"
                                + " (network error) { the same again }",
                        "The write carries a token, by which the server knows it. It may be sent again for days, by"
                                + " another process too; here it is once.",
                        BY_HAND,
                        (client, days, day) -> withToken(days, day)),
                new Strategy(
                        "in a transaction",
                        "session.withTransaction(() -> updateOne(session, ...))",
                        "The same inside a transaction, whose beginning and commit the driver may repeat. timeoutMS"
                                + " says for how long it goes on.",
                        "&timeoutMS=1500",
                        Strategies::inTransaction));
    }

    private static void increment(MongoCollection<Document> days, Document day) {
        days.updateOne(day, INCREMENT, UPSERT);
    }

    private static void alwaysRetry(Runnable step) {
        while (true) {
            try {
                step.run();
                return;
            } catch (MongoInterruptedException e) {
                // The experiment has seen enough.
                throw e;
            } catch (MongoException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
        }
    }

    private static void retryOnce(Runnable step) {
        try {
            step.run();
        } catch (MongoSocketException e) {
            step.run();
        }
    }

    private static void idempotent(MongoCollection<Document> days, Document day) {
        var token = new ObjectId();
        retryOnce(() -> days.updateOne(day, new Document("$addToSet", new Document("pending", token)), UPSERT));
        retryOnce(() -> exchange(days, day, token));
    }

    private static void exchange(MongoCollection<Document> days, Document day, ObjectId token) {
        var pending = new Document("pending", token);
        days.updateOne(
                new Document(day).append("pending", token),
                new Document("$pull", pending).append("$inc", new Document("counter", 1)));
    }

    private static void withToken(MongoCollection<Document> days, Document day) {
        var once = new UpdateOptions().upsert(true).once(new ObjectId().toHexString());
        retryOnce(() -> days.updateOne(day, INCREMENT, once));
    }

    private static void inTransaction(MongoClient client, MongoCollection<Document> days, Document day) {
        try (var session = client.startSession()) {
            session.withTransaction(() -> days.updateOne(session, day, INCREMENT, UPSERT));
        }
    }

    /** The nightly clean-up: exchanges the tokens that were left behind. */
    static void cleanUp(MongoCollection<Document> days) {
        for (var day : days.find(new Document("pending.0", new Document("$exists", true)))) {
            var same = new Document("_id", day.get("_id"));
            day.getList("pending", ObjectId.class).forEach(token -> exchange(days, same, token));
        }
    }
}
