package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.subject.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Runs cases with one driver against one server, one after another. */
public final class CaseRunner {
    private static final int MAJOR = 1;
    private static final int MINOR = 26;

    /** Events and messages that come from other threads may come a little after the operation that caused them. */
    private static final long LATE_EVENTS_MS = 1_000;

    private final Driver driver;
    private final Subject subject;

    public CaseRunner(Driver driver, Subject subject) {
        this.driver = driver;
        this.subject = subject;
    }

    /** Why the case is not for this driver and this server, or null if it is. */
    public @Nullable String reasonToSkip(TestCase test) {
        if (test.content().containsKey("skipReason")) {
            return test.content().getString("skipReason").getValue();
        }
        String unmet = Contradictory.reason(test);
        if (unmet == null) {
            unmet = Requirements.unmet(test.file().content(), subject);
        }
        if (unmet == null) {
            unmet = Requirements.unmet(test.content(), subject);
        }
        if (unmet == null) {
            unmet = subject.missing(test.id());
        }
        return unmet == null ? Needs.missing(test, driver) : unmet;
    }

    public Verdict run(TestCase test) {
        String reason = reasonToSkip(test);
        if (reason != null) {
            return new Verdict.Skipped(reason);
        }
        Throwable failure = failure(test);
        if (SelfTests.contains(test)) {
            failure = SelfTests.wrong(test, failure);
        }
        return failure == null ? new Verdict.Passed() : new Verdict.Failed(failure);
    }

    private @Nullable Throwable failure(TestCase test) {
        FailPoints failPoints = new FailPoints();
        Entities entities = new Entities(driver, subject);
        try {
            checkVersion(test.file());
            subject.run("admin", BsonDocument.parse("{killAllSessions: []}"));
            prepare(test.file());
            ValueMatcher values = new ValueMatcher(entities);
            EventMatcher events = new EventMatcher(values);
            Operations operations = new Operations(
                    driver, entities, new RunnerOperations(entities, subject, failPoints, events), values);
            for (BsonDocument each : test.file().list("createEntities")) {
                entities.create(each);
            }
            operations.run(test.content().getArray("operations"));
            for (BsonDocument each : test.list("expectEvents")) {
                expect(each, () -> events.match(each, client(entities, each)));
            }
            LogMatcher logs = new LogMatcher(values);
            for (BsonDocument each : test.list("expectLogMessages")) {
                await(LATE_EVENTS_MS, () -> logs.match(each, client(entities, each)));
            }
            for (BsonDocument each : test.list("outcome")) {
                outcome(each, values);
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        } catch (RuntimeException | AssertionError e) {
            return e;
        } finally {
            failPoints.turnOff(subject);
            entities.close();
        }
    }

    private static void checkVersion(TestFile file) {
        String[] version = file.content().getString("schemaVersion").getValue().split("\\.");
        if (Integer.parseInt(version[0]) != MAJOR || Integer.parseInt(version[1]) > MINOR) {
            throw new IllegalStateException("schema version " + String.join(".", version) + " is not understood");
        }
    }

    private static ClientEntity client(Entities entities, BsonDocument expectation) {
        return entities.client(expectation.getString("client").getValue());
    }

    private static void expect(BsonDocument expectation, Runnable match) throws InterruptedException {
        boolean isSynchronous = expectation
                .getString("eventType", new BsonString("command"))
                .getValue()
                .equals("command");
        await(isSynchronous ? 0 : LATE_EVENTS_MS, match);
    }

    private static void await(long ms, Runnable match) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (true) {
            try {
                match.run();
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() >= deadline) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    // ---- what is there before and after

    private void prepare(TestFile file) {
        if (file.list("initialData").isEmpty()) {
            dropWhatOthersLeft(file);
        }
        for (BsonDocument each : file.list("initialData")) {
            String database = each.getString("databaseName").getValue();
            BsonString collection = each.getString("collectionName");
            subject.tryToRun(database, new BsonDocument("drop", collection));
            BsonArray documents = each.getArray("documents", new BsonArray());
            if (each.containsKey("createOptions") || documents.isEmpty()) {
                BsonDocument create = new BsonDocument("create", collection);
                for (Map.Entry<String, BsonValue> option :
                        each.getDocument("createOptions", new BsonDocument()).entrySet()) {
                    if (!option.getKey().equals("writeConcern")) {
                        create.put(option.getKey(), option.getValue());
                    }
                }
                subject.run(database, create);
            }
            if (!documents.isEmpty()) {
                subject.run(database, new BsonDocument("insert", collection).append("documents", documents));
            }
        }
    }

    /** A case that says nothing of what is there before means that there is nothing. */
    private void dropWhatOthersLeft(TestFile file) {
        Map<String, String> databases = new HashMap<>();
        for (BsonDocument each : file.list("createEntities")) {
            if (each.get("database") instanceof BsonDocument database) {
                databases.put(
                        database.getString("id").getValue(),
                        database.getString("databaseName").getValue());
            } else if (each.get("collection") instanceof BsonDocument collection) {
                String database = databases.get(collection.getString("database").getValue());
                if (database != null) {
                    subject.tryToRun(database, new BsonDocument("drop", collection.getString("collectionName")));
                }
            }
        }
    }

    private void outcome(BsonDocument expected, ValueMatcher values) {
        String collection = expected.getString("collectionName").getValue();
        List<BsonDocument> actual =
                subject.documents(expected.getString("databaseName").getValue(), collection);
        try {
            values.matchExactly(expected.getArray("documents"), new BsonArray(actual));
        } catch (AssertionError e) {
            throw new AssertionError(
                    "afterwards " + collection + " has " + new BsonDocument("all", new BsonArray(actual)).toJson()
                            + ": " + e.getMessage(),
                    e);
        }
    }
}
