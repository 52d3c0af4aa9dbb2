package dev.semel.cluster;

import dev.semel.server.replica.OpTime;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The state of the other members as they report it. They are asked on demand, not at intervals. */
final class Peers {
    private static final Duration ATMOST = Duration.ofMillis(500);

    /** A younger answer is used again. */
    private static final long FRESH_MS = 100;

    private final MemberClient client;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Map<String, Peer> known = new HashMap<>();

    /** How a member presents itself. */
    enum State {
        PRIMARY(1, "PRIMARY"),
        SECONDARY(2, "SECONDARY"),
        RECOVERING(3, "RECOVERING"),
        STARTUP(0, "STARTUP"),
        STARTUP2(5, "STARTUP2"),
        DOWN(8, "(not reachable/healthy)");

        final int number;
        final String text;

        State(int number, String text) {
            this.number = number;
            this.text = text;
        }
    }

    /**
     * An answer, or that there was none.
     *
     * @param applied null if there was no answer
     * @param receivedMillis when it last answered; 0 for never
     * @param problem why there was no answer; empty otherwise
     */
    record Peer(
            State state,
            @Nullable OpTime applied,
            long receivedMillis,
            long pingMs,
            long askedMillis,
            String problem) {}

    Peers(MemberClient client, InstantSource clock) {
        this.client = client;
        this.clock = clock;
    }

    /** By their hosts. Takes as long as a member that does not answer is waited for. */
    Map<String, Peer> ask(List<String> hosts) {
        lock.lock();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            known.keySet().retainAll(hosts);
            List<Callable<Peer>> questions = new ArrayList<>();
            for (String each : hosts) {
                Peer before = known.get(each);
                questions.add(() -> asked(each, before));
            }
            List<Future<Peer>> answers = threads.invokeAll(questions);
            for (int i = 0; i < hosts.size(); i++) {
                known.put(hosts.get(i), answers.get(i).get());
            }
            return Map.copyOf(known);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    private Peer asked(String host, @Nullable Peer before) {
        long now = clock.millis();
        if (before != null && now - before.askedMillis < FRESH_MS) {
            return before;
        }
        try {
            RawDocument hello = client.hello(host, ATMOST);
            long then = clock.millis();
            return new Peer(state(hello), applied(hello), then, then - now, now, "");
        } catch (IOException e) {
            return new Peer(
                    State.DOWN,
                    null,
                    before == null ? 0 : before.receivedMillis,
                    0,
                    now,
                    String.valueOf(e.getMessage()));
        }
    }

    private static State state(RawDocument hello) {
        if (isTrue(hello, "isWritablePrimary")) {
            return State.PRIMARY;
        }
        if (isTrue(hello, "secondary")) {
            return State.SECONDARY;
        }
        return hello.has("setName") ? State.RECOVERING : State.STARTUP;
    }

    private static boolean isTrue(RawDocument hello, String field) {
        return hello.get(field) instanceof Value.Bool(boolean value) && value;
    }

    private static @Nullable OpTime applied(RawDocument hello) {
        return hello.get("lastWrite") instanceof Value.Doc(RawDocument lastWrite)
                        && lastWrite.get("opTime") instanceof Value.Doc(RawDocument opTime)
                        && opTime.get("ts") instanceof Value.Timestamp(long time)
                        && opTime.get("t") instanceof Value.Int64(long term)
                ? new OpTime(time, term)
                : null;
    }
}
