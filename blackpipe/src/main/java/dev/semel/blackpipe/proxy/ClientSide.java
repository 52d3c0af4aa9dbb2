package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Sends messages to the client of a link, whole or with a fault. */
final class ClientSide {
    private final OutputStream out;
    private final CountDownLatch ended;

    /** Held while a message is sent, so that messages do not interleave. */
    private final ReentrantLock sending = new ReentrantLock();

    /** The last reply, kept for a fault that sends it again. */
    private byte @Nullable [] earlier;

    /** A reply that waits until another one has been sent before it. */
    private volatile byte @Nullable [] heldBack;

    /** The latch signals that the link is closed, and ends every wait. */
    ClientSide(OutputStream out, CountDownLatch ended) {
        this.out = out;
        this.ended = ended;
    }

    OutputStream out() {
        return out;
    }

    ReentrantLock sending() {
        return sending;
    }

    /** Whether the next reply must be inspected, because another one waits for it. */
    boolean isHoldingBack() {
        return heldBack != null;
    }

    void send(byte[] message) throws IOException {
        sending.lock();
        try {
            out.write(message);
            releaseHeldBack();
        } finally {
            sending.unlock();
        }
    }

    /** The beginning of a message. */
    void sendPart(byte[] message, int from, int to) throws IOException {
        sending.lock();
        try {
            out.write(message, from, to - from);
        } finally {
            sending.unlock();
        }
    }

    void deliver(byte[] reply, Action.Delivery how) throws IOException, InterruptedException {
        switch (how) {
            case Action.None none -> send(reply);
            // The link has waited already.
            case Action.Delay delay -> send(reply);
            case Action.Meet meet -> throw new IllegalStateException("no rule does that to a reply: " + meet);
            case Action.Drip drip -> {
                sending.lock();
                try {
                    drip(out, reply, drip, ended);
                } finally {
                    sending.unlock();
                }
            }
            case Action.DuplicateReply twice -> {
                send(reply);
                send(reply);
            }
            case Action.StaleReply stale -> send(earlier == null ? reply : earlier);
            case Action.Reorder(long ms) -> holdBack(reply, ms);
        }
    }

    /** Writes a message in pieces, with pauses between them. */
    static void drip(OutputStream out, byte[] message, Action.Drip drip, CountDownLatch ended)
            throws IOException, InterruptedException {
        for (int at = 0; at < message.length; at += drip.bytes()) {
            if (at > 0 && ended.await(drip.everyMs(), TimeUnit.MILLISECONDS)) {
                return;
            }
            out.write(message, at, Math.min(drip.bytes(), message.length - at));
            out.flush();
        }
    }

    /** Keeps a reply for a fault that sends it again. */
    void keep(byte[] reply) {
        earlier = reply;
    }

    private void holdBack(byte[] reply, long ms) {
        sending.lock();
        try {
            heldBack = reply;
        } finally {
            sending.unlock();
        }
        if (ms != Action.FOREVER) {
            Thread.ofVirtual().name("held-back-reply").start(() -> releaseAfter(ms, reply));
        }
    }

    private void releaseAfter(long ms, byte[] reply) {
        try {
            if (ended.await(ms, TimeUnit.MILLISECONDS)) {
                return;
            }
            sending.lock();
            try {
                if (Arrays.equals(heldBack, reply)) {
                    releaseHeldBack();
                }
            } finally {
                sending.unlock();
            }
        } catch (IOException | InterruptedException e) {
            // The client has gone; the link notices it by itself.
        }
    }

    private void releaseHeldBack() throws IOException {
        byte[] waiting = heldBack;
        if (waiting != null) {
            heldBack = null;
            out.write(waiting);
        }
    }
}
