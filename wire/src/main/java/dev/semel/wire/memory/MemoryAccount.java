package dev.semel.wire.memory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The heap that may be held on behalf of clients, divided into parts. A part cannot take more than its own limit, so that
 * one kind of use leaves room for the others; all together cannot take more than the account has, whatever the limits of
 * the parts are set to. Large holders leave a fifth of it, so that however many parts they are in, small ones go on. For
 * any thread.
 */
public final class MemoryAccount {
    /** The share of the account that large holders leave, of all parts together. */
    private static final int LEFT_TO_SMALL = 5;

    private final String parameter;
    private final long bytesMax;
    private final List<MemoryPart> parts = new CopyOnWriteArrayList<>();
    private final List<Gauge> gauges = new CopyOnWriteArrayList<>();
    private final AtomicLong used = new AtomicLong();

    /** Threads that wait for a part, so that a release need not ask each. */
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param parameter the name under which the limit is set, for messages
     * @param bytesMax what all parts together may hold
     */
    public MemoryAccount(String parameter, long bytesMax) {
        this.parameter = parameter;
        this.bytesMax = bytesMax;
    }

    /** An account without a limit, for tests and tools. */
    public static MemoryAccount unlimited() {
        return new MemoryAccount("", Long.MAX_VALUE);
    }

    /**
     * A new part.
     *
     * @param name under which it is shown
     * @param parameter the name under which its limit is set, for messages
     * @param bytesMax its limit now, asked for at every reservation
     */
    public MemoryPart part(String name, String parameter, LongSupplier bytesMax) {
        MemoryPart part = new MemoryPart(this, name, parameter, bytesMax);
        parts.add(part);
        return part;
    }

    /**
     * A part whose limit is enforced elsewhere; it is only shown here.
     *
     * @param bytes returns its current size
     */
    public void gauge(String name, String parameter, LongSupplier bytesMax, LongSupplier bytes) {
        gauges.add(new Gauge(name, parameter, bytesMax, bytes));
    }

    /** What takes memory beside the parts, within limits of its own. */
    public record Gauge(String name, String parameter, LongSupplier bytesMax, LongSupplier bytes) {}

    /** In the order of their making. */
    public List<Gauge> gauges() {
        return List.copyOf(gauges);
    }

    /** In the order of their making. */
    public List<MemoryPart> parts() {
        return List.copyOf(parts);
    }

    public String parameter() {
        return parameter;
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** What all parts hold now. */
    public long bytes() {
        return used.get();
    }

    AtomicInteger waiting() {
        return waiting;
    }

    /** Room that large holders leave to small ones. */
    long leftToSmall() {
        return bytesMax / LEFT_TO_SMALL;
    }

    boolean tryAdd(long bytes, boolean isLarge) {
        long max = isLarge ? bytesMax - leftToSmall() : bytesMax;
        long now;
        do {
            now = used.get();
            if (bytes > max - now) {
                return false;
            }
        } while (!used.compareAndSet(now, now + bytes));
        return true;
    }

    void add(long bytes) {
        used.addAndGet(bytes);
    }

    void subtract(long bytes) {
        used.addAndGet(-bytes);
        if (waiting.get() > 0) {
            for (MemoryPart each : parts) {
                each.wakeWaiters();
            }
        }
    }
}
