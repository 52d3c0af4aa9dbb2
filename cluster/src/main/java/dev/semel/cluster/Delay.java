package dev.semel.cluster;

import dev.semel.cluster.EntryCodec.Content;
import dev.semel.cluster.EntryCodec.Part;
import dev.semel.cluster.EntryCodec.Whole;
import dev.semel.server.replica.StoredConfig;
import dev.semel.store.HeldEntries;
import dev.semel.store.HeldEntries.Held;
import dev.semel.store.LogPosition;
import dev.semel.store.RecordCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a delayed member ({@code secondaryDelaySecs}) between their arrival and their time. For the consensus engine
 * they are applied when they arrive, because it keeps in memory what is not, and reads it again at each start; until then
 * they are rows of the database that nobody reads. Used by one thread at a time.
 */
final class Delay {
    private final HeldEntries held;
    private final Rules rules;
    private final InstantSource clock;

    /** Of entries whose database is in memory. */
    private final long heapBytesMax;

    private boolean isTooMuch;

    /** Of which the time is known when it is due. */
    private long knownIndex = -1;

    private long knownTime;

    interface Rules {
        /** How much later than others this member applies commits; zero for most. */
        Duration delay();

        /** The configuration, which counts from when it is known, not from when it is applied. */
        void configured(byte[] document);

        /** Entries are applied before their time, because the others would take too much of the heap. */
        void tooMuch(long bytes);
    }

    Delay(HeldEntries held, Rules rules, InstantSource clock, long heapBytesMax) {
        this.held = held;
        this.rules = rules;
        this.clock = clock;
        this.heapBytesMax = heapBytesMax;
    }

    /** Whether entries that arrive have to wait; also behind others if there is no delay any more. */
    boolean isOn() {
        return !held.isEmpty() || rules.delay().isPositive();
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    void hold(LogPosition position, byte[] entry, Content content) {
        byte[] configuration = configuration(content);
        held.add(position, entry, configuration);
        if (configuration != null) {
            rules.configured(configuration);
        }
    }

    /** It has an entry of its own. */
    private static byte @Nullable [] configuration(Content content) {
        return content instanceof Whole whole && whole.commits() == 1
                ? StoredConfig.written(whole.decoded().getFirst())
                : null;
    }

    /** The next one if its time has come. */
    byte @Nullable [] due() {
        Held next = held.next();
        return next != null && isDue(next) ? next.entry() : null;
    }

    /** Cluster times count seconds, and a commit may have been made at the end of one. */
    private boolean isDue(Held next) {
        if (next.index() != knownIndex) {
            knownIndex = next.index();
            knownTime = time(EntryCodec.decode(next.entry()));
        }
        long earliest = TimeUnit.SECONDS.toMillis((knownTime >>> 32) + 1)
                + rules.delay().toMillis();
        return rules.delay().isZero() || clock.millis() >= earliest || takesTooMuch();
    }

    /** Parts of a commit have that of the first one. */
    private long time(Content content) {
        return switch (content) {
            case Whole whole -> RecordCodec.clusterTime(whole.records().getLast());
            case Part part when part.from() == 0 -> RecordCodec.clusterTime(part.bytes());
            case Part part -> knownTime;
        };
    }

    private boolean takesTooMuch() {
        long bytes = held.heapBytes();
        if (bytes > heapBytesMax && !isTooMuch) {
            rules.tooMuch(bytes);
        }
        isTooMuch = bytes > heapBytesMax;
        return isTooMuch;
    }

    /** The {@link #due} one is being applied. */
    void taken() {
        held.taken();
    }

    /** Nothing of those that were taken is needed after a restart. */
    void removeTaken() {
        held.removeTaken();
    }
}
