package dev.semel.blackpipe.fault;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets two messages wait for each other; later ones pass. */
public final class Rendezvous {
    private static final int MESSAGES = 2;

    private final CountDownLatch missing = new CountDownLatch(MESSAGES);

    /** Returns when both have arrived, or after this time. */
    public void await(long ms) throws InterruptedException {
        missing.countDown();
        missing.await(ms, TimeUnit.MILLISECONDS);
    }
}
