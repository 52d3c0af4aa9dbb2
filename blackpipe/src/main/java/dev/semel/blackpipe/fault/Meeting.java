package dev.semel.blackpipe.fault;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Where two messages wait for each other; those that come later pass. */
public final class Meeting {
    private static final int MESSAGES = 2;

    private final CountDownLatch missing = new CountDownLatch(MESSAGES);

    /** Returns when both are there, or the time is over. */
    public void await(long ms) throws InterruptedException {
        missing.countDown();
        missing.await(ms, TimeUnit.MILLISECONDS);
    }
}
