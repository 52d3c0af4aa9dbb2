package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.DeadlockVictim;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Several transactions, one line at a time. {@code begin a snapshot} starts one; {@code a put x 1} and the like make it do
 * something; {@code a answer} tells how something ended that had to wait. Each transaction works in its own thread.
 *
 * <pre>
 * begin NAME statement|snapshot|serializable|uncommitted [statement|session|tokumx|catalog] [nowait]
 * NAME get|latest|delete KEY       NAME put KEY VALUE      NAME scan [RANGE]      NAME back [RANGE]
 * NAME begins KEY VALUE            a put to which more belongs: the next put or delete completes it
 * NAME lock|share KEY|RANGE        NAME collection is|ix|s|x
 * NAME changed|require|mark KEY    NAME refresh            NAME save|undo SAVEPOINT
 * NAME open VIEW                   NAME see VIEW           NAME stale VIEW RANGE
 * NAME commit|rollback|answer|kill|locks
 * show [RANGE]   waits   limit BYTES
 * </pre>
 *
 * The answer names the lines that have something to say.
 *
 * A range is {@code LOW..HIGH}, both included, each of which may be missing.
 */
final class TransactionScript implements Function<String, String>, AutoCloseable {
    private static final long PATIENCE_SECONDS = 20;
    private static final Duration LOCK_TIMEOUT = Duration.ofMinutes(10);

    private static final Pattern WORDS = Pattern.compile(" +");

    private final Transactions transactions;
    private final Map<String, Actor> actors = new TreeMap<>();

    TransactionScript(Store store) {
        this.transactions = Transactions.open(
                store, TransactionOptions.forHeap(1 << 30), InstantSource.system(), System::nanoTime, cause -> {
                    throw new AssertionError(cause);
                });
    }

    private final class Actor {
        final Transaction transaction;
        private volatile @Nullable Thread worker;
        final ExecutorService thread = Executors.newSingleThreadExecutor(this::newWorker);
        final Map<String, Savepoint> savepoints = new TreeMap<>();
        final Map<String, Snapshot> views = new TreeMap<>();
        Interruption interruption = Interruption.unlimited();

        @Nullable
        CompletableFuture<String> pending;

        Actor(Transaction transaction) {
            this.transaction = transaction;
        }

        String run(Supplier<String> work) {
            interruption = Interruption.unlimited();
            transaction.runUnder(interruption);
            CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> outcome(work), thread);
            // Who will not wait is seen in the queue for a moment, but never asleep there.
            await(() -> result.isDone() || (blockers() != null && isAsleep()));
            if (result.isDone()) {
                return result.join();
            }
            pending = result;
            return "waits for " + blockers();
        }

        private Thread newWorker(Runnable work) {
            Thread created = Thread.ofVirtual().unstarted(work);
            worker = created;
            return created;
        }

        private boolean isAsleep() {
            Thread current = worker;
            return current != null
                    && (current.getState() == Thread.State.WAITING || current.getState() == Thread.State.TIMED_WAITING);
        }

        private @Nullable List<String> blockers() {
            return transactions.pendingRequests().stream()
                    .filter(each -> each.requester() == transaction.id())
                    .findFirst()
                    .map(each -> each.blockers().stream()
                            .map(TransactionScript.this::nameOf)
                            .sorted()
                            .toList())
                    .orElse(null);
        }

        String answer() {
            CompletableFuture<String> result = pending;
            if (result == null) {
                return "nothing pending";
            }
            if (!result.isDone() && blockers() != null) {
                return "still waits for " + blockers();
            }
            try {
                String answer = result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                pending = null;
                return answer;
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static String outcome(Supplier<String> work) {
        try {
            return work.get();
        } catch (CommandException e) {
            String labels = e.labels().isEmpty() ? "" : " " + e.labels();
            return e.code().codeName() + " " + e.code().number() + labels;
        } catch (DeadlockVictim e) {
            return "deadlock victim";
        } catch (IllegalStateException e) {
            return "refused: " + e.getMessage();
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("nothing happens");
            }
            LockSupport.parkNanos(10_000);
        }
    }

    private String nameOf(long id) {
        return actors.entrySet().stream()
                .filter(each -> each.getValue().transaction.id() == id)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("?");
    }

    @Override
    public String apply(String input) {
        List<String> answers = new ArrayList<>();
        for (String line : input.lines().toList()) {
            String answer = line(WORDS.splitAsStream(line.strip()).toList());
            if (!answer.equals("ok")) {
                answers.add(line + ": " + answer);
            }
        }
        return answers.isEmpty() ? "ok" : String.join("\n", answers);
    }

    private String line(List<String> words) {
        String argument = words.size() > 1 ? words.get(1) : "..";
        return switch (words.getFirst()) {
            case "begin" -> begin(words);
            case "show" -> {
                try (Snapshot snapshot = transactions.snapshot()) {
                    yield entries(snapshot, range(argument), false);
                }
            }
            case "waits" -> waits();
            case "limit" -> {
                transactions.options(transactions.options().withTransactionBytesMax(Long.parseLong(argument)));
                yield "ok";
            }
            default -> act(words);
        };
    }

    private String begin(List<String> words) {
        Isolation isolation = switch (words.get(2)) {
            case "statement" -> Isolation.STATEMENT;
            case "snapshot" -> Isolation.SNAPSHOT;
            case "serializable" -> Isolation.SERIALIZABLE;
            default -> Isolation.READ_UNCOMMITTED;
        };
        String kind = words.size() > 3 ? words.get(3) : isolation == Isolation.STATEMENT ? "statement" : "tokumx";
        LockPolicy.Kind policy = switch (kind) {
            case "statement" -> LockPolicy.Kind.STATEMENT;
            case "session" -> LockPolicy.Kind.SESSION_TRANSACTION;
            case "catalog" -> LockPolicy.Kind.CATALOG_CHANGE;
            default -> LockPolicy.Kind.TOKUMX_TRANSACTION;
        };
        Duration timeout = words.size() > 4 ? Duration.ZERO : LOCK_TIMEOUT;
        actors.put(
                words.get(1),
                new Actor(transactions.begin(isolation, LockPolicy.of(policy, timeout), Interruption.unlimited())));
        return "ok";
    }

    private String waits() {
        List<String> waits = transactions.pendingRequests().stream()
                .map(each -> nameOf(each.requester()) + " for "
                        + each.blockers().stream().map(this::nameOf).sorted().toList())
                .sorted()
                .toList();
        return waits.isEmpty() ? "nobody waits" : String.join("\n", waits);
    }

    private String act(List<String> words) {
        Actor actor = actors.get(words.getFirst());
        if (actor == null) {
            return "who is " + words.getFirst() + "?";
        }
        return switch (words.get(1)) {
            case "answer" -> actor.answer();
            case "kill" -> {
                actor.interruption.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
                CompletableFuture<String> pending = actor.pending;
                await(() -> pending == null || pending.isDone());
                yield "ok";
            }
            case "locks" -> transactions.locksOf(actor.transaction.id(), 100).size() + " locks";
            default -> actor.run(() -> perform(actor, words.get(1), words.subList(2, words.size())));
        };
    }

    private String perform(Actor actor, String verb, List<String> arguments) {
        Transaction on = actor.transaction;
        String first = arguments.isEmpty() ? ".." : arguments.getFirst();
        switch (verb) {
            case "get" -> {
                return text(on.get(Table.DOCUMENTS, bytes(first)));
            }
            case "latest" -> {
                return text(on.latest(Table.DOCUMENTS, bytes(first)));
            }
            case "scan", "back" -> {
                try (Snapshot view = on.view()) {
                    return entries(view, range(first), verb.equals("back"));
                }
            }
            case "changed" -> {
                return Boolean.toString(on.changedSinceSnapshot(Table.DOCUMENTS, bytes(first)));
            }
            case "stale" -> {
                Snapshot view = java.util.Objects.requireNonNull(actor.views.get(first));
                return Boolean.toString(on.changedSince(view, Table.DOCUMENTS, range(arguments.get(1))));
            }
            case "see" -> {
                return entries(java.util.Objects.requireNonNull(actor.views.get(first)), KeyRange.ALL, false);
            }
            case "open" -> actor.views.put(first, on.view());
            case "put" -> {
                on.put(Table.DOCUMENTS, bytes(first), bytes(arguments.get(1)));
                on.publish();
            }
            case "begins" -> on.put(Table.DOCUMENTS, bytes(first), bytes(arguments.get(1)));
            case "delete" -> {
                on.delete(Table.DOCUMENTS, bytes(first));
                on.publish();
            }
            case "mark" -> on.mark(Table.DOCUMENTS, bytes(first));
            case "lock" -> lock(on, first, true);
            case "share" -> lock(on, first, false);
            case "collection" -> on.lockCollection(7, mode(first));
            case "require" -> on.requireUnchanged(Table.DOCUMENTS, bytes(first));
            case "refresh" -> on.refresh();
            case "save" -> actor.savepoints.put(first, on.savepoint());
            case "undo" -> on.rollbackTo(java.util.Objects.requireNonNull(actor.savepoints.get(first)));
            case "commit" -> on.commit().awaitDurable();
            case "rollback" -> on.rollback();
            default -> {
                return "what is " + verb + "?";
            }
        }
        return "ok";
    }

    private static void lock(Transaction on, String what, boolean exclusive) {
        boolean isRange = what.contains("..");
        if (isRange && exclusive) {
            on.lockExclusive(Table.DOCUMENTS, range(what));
        } else if (isRange) {
            on.lockShared(Table.DOCUMENTS, range(what));
        } else if (exclusive) {
            on.lockExclusive(Table.DOCUMENTS, bytes(what));
        } else {
            on.lockShared(Table.DOCUMENTS, bytes(what));
        }
    }

    private static LockMode mode(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "is" -> LockMode.INTENT_SHARED;
            case "ix" -> LockMode.INTENT_EXCLUSIVE;
            case "s" -> LockMode.SHARED;
            default -> LockMode.EXCLUSIVE;
        };
    }

    private static String entries(Snapshot snapshot, KeyRange range, boolean reverse) {
        List<String> entries = new ArrayList<>();
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, range, reverse)) {
            while (scan.next()) {
                entries.add(text(scan.key()) + "=" + text(scan.value()));
            }
        }
        return entries.toString();
    }

    private static KeyRange range(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return KeyRange.point(bytes(text));
        }
        String low = text.substring(0, dots);
        String high = text.substring(dots + 2);
        return KeyRange.of(low.isEmpty() ? null : bytes(low), true, high.isEmpty() ? null : bytes(high), true);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte @Nullable [] bytes) {
        return bytes == null ? "absent" : new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        for (Actor each : actors.values()) {
            each.interruption.kill(new CommandException(ErrorCode.Interrupted, "the script has ended"));
            each.thread.close();
            each.views.values().forEach(Snapshot::close);
            each.transaction.rollback();
        }
        transactions.close();
    }
}
