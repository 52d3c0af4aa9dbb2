package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.DrivenSession;
import dev.semel.conformance.adapter.Event;
import dev.semel.conformance.subject.Subject;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Operations of the runner itself: fail points, assertions, threads, waiting. */
final class RunnerOperations {
    private static final long EVENT_TIMEOUT_MS = 10_000;

    private final Entities entities;
    private final Subject subject;
    private final FailPoints failPoints;
    private final EventMatcher events;

    RunnerOperations(Entities entities, Subject subject, FailPoints failPoints, EventMatcher events) {
        this.entities = entities;
        this.subject = subject;
        this.failPoints = failPoints;
        this.events = events;
    }

    void run(Operations operations, String name, BsonDocument arguments) throws InterruptedException {
        switch (name) {
            case "failPoint" ->
                failPoints.set(entities.client(text(arguments, "client")).driven(), arguments.getDocument("failPoint"));
            case "targetedFailPoint" -> targetedFailPoint(arguments);
            case "createEntities" -> {
                for (BsonValue each : arguments.getArray("entities")) {
                    entities.create(each.asDocument());
                }
            }
            case "loop" -> new Loop(entities, operations).run(arguments);
            case "runOnThread" ->
                entities.thread(text(arguments, "thread")).run(() -> {
                    operations.run(arguments.getDocument("operation"));
                    return true;
                });
            case "waitForThread" -> entities.thread(text(arguments, "thread")).await();
            case "wait" -> pause(arguments.getNumber("ms").longValue());
            case "waitForEvent", "assertEventCount" -> eventCount(name, arguments);
            case "assertNumberConnectionsCheckedOut" -> {
                int actual = entities.client(text(arguments, "client")).checkedOut();
                int expected = arguments.getNumber("connections").intValue();
                check(expected == actual, expected + " connections should be checked out, but " + actual + " are");
            }
            case "assertSameLsidOnLastTwoCommands" ->
                check(isSameLsid(arguments), "the last two commands have different session ids");
            case "assertDifferentLsidOnLastTwoCommands" ->
                check(!isSameLsid(arguments), "the last two commands have the same session id");
            case "assertSessionPinned" -> check(session(arguments).isPinned(), "the session is not pinned");
            case "assertSessionUnpinned" -> check(!session(arguments).isPinned(), "the session is pinned");
            case "assertSessionDirty" -> check(session(arguments).isDirty(), "the session is not dirty");
            case "assertSessionNotDirty" -> check(!session(arguments).isDirty(), "the session is dirty");
            case "assertSessionTransactionState" -> {
                boolean isExpected = List.of("starting", "in_progress").contains(text(arguments, "state"));
                check(
                        session(arguments).hasTransaction() == isExpected,
                        "the transaction is not " + text(arguments, "state"));
            }
            case "assertCollectionExists" -> check(hasCollection(arguments), "there is no such collection");
            case "assertCollectionNotExists" -> check(!hasCollection(arguments), "there is such a collection");
            case "assertIndexExists" -> check(hasIndex(arguments), "there is no such index");
            case "assertIndexNotExists" -> check(!hasIndex(arguments), "there is such an index");
            case "recordTopologyDescription" -> entities.put(text(arguments, "id"), topology(arguments));
            case "assertTopologyType" -> {
                BsonDocument seen =
                        entities.value(text(arguments, "topologyDescription")).asDocument();
                check(
                        seen.getString("type").equals(arguments.getString("topologyType")),
                        "the topology is " + seen.toJson());
            }
            case "waitForPrimaryChange" -> waitForPrimaryChange(arguments);
            default -> throw Operations.unknown(name);
        }
    }

    /** No driver sends {@code rawData} to a server before 8.2, where an operation is the same without. */
    boolean takesRawData() {
        int[] version = subject.version();
        return version[0] > 8 || (version[0] == 8 && version[1] >= 2);
    }

    private static String text(BsonDocument arguments, String name) {
        return arguments.getString(name).getValue();
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    private DrivenSession session(BsonDocument arguments) {
        return entities.session(text(arguments, "session"));
    }

    /** One server has all of a topology's fail points. */
    private void targetedFailPoint(BsonDocument arguments) {
        check(session(arguments).isPinned(), "the session is not pinned");
        failPoints.set(subject, arguments.getDocument("failPoint"));
    }

    private static void pause(long ms) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(ms);
    }

    private void eventCount(String name, BsonDocument arguments) throws InterruptedException {
        ClientEntity client = entities.client(text(arguments, "client"));
        BsonDocument wanted = arguments.getDocument("event");
        int count = arguments.getNumber("count").intValue();
        if (name.equals("waitForEvent")) {
            check(
                    client.await(each -> events.matches(wanted, each), count, EVENT_TIMEOUT_MS),
                    count + " of " + wanted.toJson() + " were expected in time, but there are only "
                            + client.events().stream().map(Event::name).toList());
        } else {
            long actual = client.events().stream()
                    .filter(each -> events.matches(wanted, each))
                    .count();
            check(actual == count, count + " of " + wanted.toJson() + " were expected, but there are " + actual);
        }
    }

    private boolean isSameLsid(BsonDocument arguments) {
        List<BsonDocument> last = entities.client(text(arguments, "client")).lastCommands(2);
        check(last.size() == 2, "there were fewer than two commands");
        return Objects.equals(last.getFirst().get("lsid"), last.getLast().get("lsid"));
    }

    private boolean hasCollection(BsonDocument arguments) {
        BsonDocument command = BsonDocument.parse("{listCollections: 1, nameOnly: true}");
        command.put("filter", new BsonDocument("name", arguments.getString("collectionName")));
        return !firstBatch(arguments, command).isEmpty();
    }

    private boolean hasIndex(BsonDocument arguments) {
        BsonDocument command = new BsonDocument("listIndexes", arguments.getString("collectionName"));
        BsonDocument reply = subject.tryToRun(text(arguments, "databaseName"), command);
        return reply.containsKey("cursor")
                && reply.getDocument("cursor").getArray("firstBatch").stream()
                        .anyMatch(each -> each.asDocument().getString("name").equals(arguments.getString("indexName")));
    }

    private List<BsonValue> firstBatch(BsonDocument arguments, BsonDocument command) {
        return subject.run(text(arguments, "databaseName"), command)
                .getDocument("cursor")
                .getArray("firstBatch");
    }

    private BsonDocument topology(BsonDocument arguments) {
        return switch (entities.client(text(arguments, "client")).driven().run("topologyDescription", Arguments.NONE)) {
            case Driven.Result(BsonValue value) -> value.asDocument();
            default -> throw new IllegalStateException("a topology description is a document");
        };
    }

    private void waitForPrimaryChange(BsonDocument arguments) {
        BsonValue before = entities.value(text(arguments, "priorTopologyDescription"))
                .asDocument()
                .get("primary", new BsonString(""));
        long timeoutMs = arguments.containsKey("timeoutMS")
                ? arguments.getNumber("timeoutMS").longValue()
                : EVENT_TIMEOUT_MS;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            BsonValue now = topology(arguments).get("primary", new BsonString(""));
            if (!now.equals(before) && !now.asString().getValue().isEmpty()) {
                return;
            }
            check(System.nanoTime() < deadline, "the primary is still " + now);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
