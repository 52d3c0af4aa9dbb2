package dev.semel.replication.ratis;

import dev.semel.replication.Entry;
import dev.semel.replication.Membership;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicatedState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The entries themselves, as text. It outlives its engine, as what is on disk would. */
final class ListState implements ReplicatedState {
    // guarded by this
    private final List<String> entries = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private Position applied = Position.NONE;
    private Membership membership = new Membership(List.of(), List.of());
    private @Nullable String failure;

    final AtomicInteger loaded = new AtomicInteger();
    final AtomicInteger saved = new AtomicInteger();

    private volatile long writableTerm;

    /** Whoever holds it keeps entries from being applied. */
    final ReentrantLock mayApply = new ReentrantLock();

    /** Whoever holds it keeps a checkpoint from being loaded. */
    final ReentrantLock mayLoad = new ReentrantLock();

    @Override
    public synchronized Position applied() {
        return applied;
    }

    @Override
    public void apply(List<Entry> batch) {
        mayApply.lock();
        try {
            applyAll(batch);
        } finally {
            mayApply.unlock();
        }
    }

    private synchronized void applyAll(List<Entry> batch) {
        for (Entry entry : batch) {
            if (entry.position().compareTo(applied) <= 0) {
                throw new AssertionError(entry.position() + " again, after " + applied);
            }
            var text = new String(entry.bytes(), StandardCharsets.UTF_8);
            if (text.equals(failure)) {
                throw new IllegalStateException("Cannot apply " + text);
            }
            entries.add(text);
            applied = entry.position();
        }
    }

    @Override
    public void writable(long term) {
        writableTerm = term;
        event("writable");
    }

    @Override
    public void notWritable(String reason) {
        writableTerm = 0;
        event("not writable");
    }

    @Override
    public void leaderChanged(@Nullable String leader, long term) {
        event("leader " + leader);
    }

    @Override
    public synchronized void membersChanged(Membership changed) {
        membership = changed;
    }

    @Override
    public synchronized void saveCheckpoint(Path folder) throws IOException {
        saved.incrementAndGet();
        Files.createDirectories(folder.resolve("below"));
        Files.write(folder.resolve("below/entries"), entries);
        Files.write(folder.resolve("position"), List.of("" + applied.term(), "" + applied.index()));
    }

    @Override
    public boolean loadCheckpoint(Path folder) throws IOException {
        loaded.incrementAndGet();
        mayLoad.lock();
        try {
            return load(folder);
        } finally {
            mayLoad.unlock();
        }
    }

    private synchronized boolean load(Path folder) throws IOException {
        entries.clear();
        entries.addAll(Files.readAllLines(folder.resolve("below/entries")));
        var position = Files.readAllLines(folder.resolve("position"));
        applied = new Position(Long.parseLong(position.get(0)), Long.parseLong(position.get(1)));
        try (var files = Files.walk(folder)) {
            if (files.filter(Files::isRegularFile).count() != 2) {
                throw new AssertionError("Not the files that were saved: " + folder);
            }
        }
        return true;
    }

    @Override
    public void checkpointArriving(long bytes) {}

    private synchronized void event(String text) {
        events.add(text);
    }

    long writableTerm() {
        return writableTerm;
    }

    synchronized List<String> entries() {
        return List.copyOf(entries);
    }

    synchronized List<String> events() {
        return List.copyOf(events);
    }

    synchronized Membership membership() {
        return membership;
    }

    /** Applying this entry fails. */
    synchronized void failAt(String entry) {
        failure = entry;
    }
}
