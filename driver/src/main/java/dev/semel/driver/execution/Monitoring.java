package dev.semel.driver.execution;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.CommandFailedEvent;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.CommandStartedEvent;
import dev.semel.driver.event.CommandSucceededEvent;
import dev.semel.driver.event.RetryEvent;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.event.RetryReport;
import dev.semel.driver.logging.CommandLog;
import dev.semel.driver.logging.Listeners;
import dev.semel.driver.logging.Log;
import dev.semel.wire.bson.LittleEndian;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;

/** Notifies listeners of commands and attempts. Costs nothing without listeners. */
final class Monitoring {
    /** Their contents are secrets. */
    private static final Set<String> SENSITIVE = Set.of(
            "authenticate",
            "saslStart",
            "saslContinue",
            "getnonce",
            "createUser",
            "updateUser",
            "copydbgetnonce",
            "copydbsaslstart",
            "copydb");

    private static final Set<String> HELLOS = Set.of("hello", "ismaster", "isMaster");

    private final Listeners<CommandListener> commands;
    private final Listeners<RetryListener> retries;
    private final CommandLog log;

    Monitoring(List<CommandListener> commands, List<RetryListener> retries, Log log) {
        this.commands = new Listeners<>(commands);
        this.retries = new Listeners<>(retries);
        this.log = new CommandLog(log);
    }

    /** What the events of one attempt have in common. */
    record Attempt(
            long operationId,
            int requestId,
            Connection connection,
            String database,
            String command,
            boolean isSensitive) {}

    /** Whether there are command listeners. */
    boolean isHeard() {
        return !commands.isEmpty() || log.isOn();
    }

    boolean hasRetryListeners() {
        return !retries.isEmpty();
    }

    /** With the command as it was encoded. */
    Attempt started(long operationId, int requestId, Connection connection, String database, String name) {
        BsonDocument body = connection.encodedBody();
        boolean isSensitive =
                SENSITIVE.contains(name) || (HELLOS.contains(name) && body.containsKey("speculativeAuthenticate"));
        if (isSensitive) {
            body = new BsonDocument();
        } else {
            body = withSequence(body, connection.encodedAfterBody());
        }
        var attempt = new Attempt(operationId, requestId, connection, database, name, isSensitive);
        var event = new CommandStartedEvent(operationId, requestId, connection.description(), database, name, body);
        tellOfCommand(each -> each.commandStarted(event));
        return attempt;
    }

    private static BsonDocument withSequence(BsonDocument body, byte[] section) {
        if (section.length == 0) {
            return body;
        }
        // Kind, length, name, documents.
        int nameEnd = 5;
        while (section[nameEnd] != 0) {
            nameEnd++;
        }
        var documents = new BsonArray();
        for (int at = nameEnd + 1; at < section.length; ) {
            int length = LittleEndian.int32(section, at);
            documents.add(new RawBsonDocument(section, at, length));
            at += length;
        }
        var whole = new BsonDocument();
        whole.putAll(body);
        return whole.append(new String(section, 5, nameEnd - 5, StandardCharsets.UTF_8), documents);
    }

    void succeeded(Attempt attempt, Reply reply, Duration elapsed) {
        succeeded(attempt, attempt.isSensitive() ? new BsonDocument() : reply.rawDocument(), elapsed);
    }

    void sentUnacknowledged(Attempt attempt, Duration elapsed) {
        succeeded(attempt, new BsonDocument("ok", new BsonInt32(1)), elapsed);
    }

    private void succeeded(Attempt attempt, BsonDocument response, Duration elapsed) {
        var event = new CommandSucceededEvent(
                attempt.operationId(),
                attempt.requestId(),
                attempt.connection().description(),
                attempt.database(),
                attempt.command(),
                response,
                elapsed);
        tellOfCommand(each -> each.commandSucceeded(event));
    }

    void failed(Attempt attempt, MongoException failure, Duration elapsed) {
        MongoException told = failure;
        if (attempt.isSensitive() && failure instanceof MongoCommandException command) {
            var bare = new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(command.getCode()));
            told = ErrorReply.exception(bare, command.getServerAddress());
            failure.getErrorLabels().forEach(told::addLabel);
        }
        var event = new CommandFailedEvent(
                attempt.operationId(),
                attempt.requestId(),
                attempt.connection().description(),
                attempt.database(),
                attempt.command(),
                told,
                elapsed);
        tellOfCommand(each -> each.commandFailed(event));
    }

    private void tellOfCommand(Consumer<CommandListener> how) {
        commands.tell(how);
        if (log.isOn()) {
            how.accept(log);
        }
    }

    void attemptEnded(RetryEvent event) {
        retries.tell(each -> each.attemptEnded(event));
    }

    void operationEnded(RetryReport report) {
        retries.tell(each -> each.operationEnded(report));
    }
}
