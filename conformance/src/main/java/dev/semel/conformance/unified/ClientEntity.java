package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Event;
import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A client and the events that it raised while it was used. */
final class ClientEntity implements Listener {
    /** Commands whose text can hold secrets: not looked at, unless a case asks for them. */
    private static final Set<String> SENSITIVE = Set.of(
            "authenticate",
            "saslstart",
            "saslcontinue",
            "getnonce",
            "createuser",
            "updateuser",
            "copydbgetnonce",
            "copydbsaslstart",
            "copydb");

    private static final Set<String> HANDSHAKE = Set.of("hello", "ismaster");

    private static final List<String> LEVELS =
            List.of("emergency", "alert", "critical", "error", "warning", "notice", "info", "debug", "trace");

    private final Set<String> observed = new TreeSet<>();
    private final Set<String> ignored = new TreeSet<>();
    private final boolean observesSensitive;
    private final BsonDocument observedLogs;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private final List<Event> events = new ArrayList<>();
    private final List<LogEntry> logs = new ArrayList<>();
    private int checkedOut;
    private int ready;
    private @Nullable Driven driven;

    ClientEntity(BsonDocument definition) {
        strings(definition, "observeEvents", observed);
        strings(definition, "ignoreCommandMonitoringEvents", ignored);
        // Fail points are set by the runner, not by the case.
        ignored.add("configureFailPoint");
        observesSensitive = definition
                .getBoolean("observeSensitiveCommands", BsonBoolean.FALSE)
                .getValue();
        observedLogs = definition.getDocument("observeLogMessages", new BsonDocument());
    }

    private static void strings(BsonDocument definition, String name, Set<String> to) {
        for (BsonValue each : definition.getArray(name, new BsonArray())) {
            to.add(each.asString().getValue());
        }
    }

    boolean wantsLogs() {
        return !observedLogs.isEmpty();
    }

    void is(Driven client) {
        driven = client;
    }

    Driven driven() {
        Driven client = driven;
        if (client == null) {
            throw new IllegalStateException("the client is not open yet");
        }
        return client;
    }

    @Override
    public void event(Event event) {
        lock.lock();
        try {
            switch (event.name()) {
                case "connectionCheckedOutEvent" -> checkedOut++;
                case "connectionCheckedInEvent" -> checkedOut--;
                case "connectionReadyEvent" -> ready++;
                default -> {}
            }
            if (observed.contains(event.name()) && isWanted(event)) {
                events.add(event);
            }
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isWanted(Event event) {
        if (!event.type().equals("command")) {
            return true;
        }
        String command = event.commandName();
        if (ignored.contains(command)) {
            return false;
        }
        String lower = command.toLowerCase(Locale.ROOT);
        return observesSensitive || !(SENSITIVE.contains(lower) || (HANDSHAKE.contains(lower) && event.isRedacted()));
    }

    @Override
    public void log(LogEntry entry) {
        BsonValue least = observedLogs.get(entry.component());
        if (least == null
                || LEVELS.indexOf(entry.level())
                        > LEVELS.indexOf(least.asString().getValue())) {
            return;
        }
        BsonValue command = entry.data().get("commandName");
        if (command != null
                && command.isString()
                && command.asString().getValue().equals("configureFailPoint")) {
            return;
        }
        lock.lock();
        try {
            logs.add(entry);
            told.signalAll();
        } finally {
            lock.unlock();
        }
    }

    List<Event> events(String type) {
        return events().stream().filter(each -> each.type().equals(type)).toList();
    }

    List<Event> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    List<LogEntry> logs() {
        lock.lock();
        try {
            return List.copyOf(logs);
        } finally {
            lock.unlock();
        }
    }

    int checkedOut() {
        lock.lock();
        try {
            return checkedOut;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many events are as wanted; false if they are not in time. */
    boolean await(Predicate<Event> wanted, int count, long timeoutMs) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        lock.lock();
        try {
            while (events.stream().filter(wanted).count() < count) {
                if (left <= 0) {
                    return false;
                }
                left = told.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many connections are ready, then forgets earlier events. */
    void awaitConnections(int count, long timeoutMs) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        lock.lock();
        try {
            while (ready < count) {
                if (left <= 0) {
                    throw new AssertionError(
                            "only " + ready + " of " + count + " connections within " + timeoutMs + " ms");
                }
                left = told.awaitNanos(left);
            }
            events.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The last commands that were started, at most so many. */
    List<BsonDocument> lastCommands(int count) {
        List<BsonDocument> commands = events("command").stream()
                .filter(each -> each.name().equals("commandStartedEvent"))
                .map(Event::fields)
                .map(each -> each.getDocument("command"))
                .toList();
        return commands.subList(Math.max(0, commands.size() - count), commands.size());
    }
}
