package dev.semel.driver.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A look-up in the domain name system. The JDK's can neither be interrupted nor limited in time, and blocks the carrier of a
 * virtual thread: each runs in a thread of its own, which is left to itself when nobody waits any more.
 */
public final class LookUp {
    private LookUp() {}

    public static <T> FutureTask<T> start(String name, Callable<T> lookUp) {
        var task = new FutureTask<>(lookUp);
        Thread.ofPlatform().daemon().name("semel-dns-" + name).start(task);
        return task;
    }

    /** The addresses of a host; a limit of zero is none. */
    static InetAddress[] addresses(String host, Duration limit) throws UnknownHostException, InterruptedException {
        if (isAddress(host)) {
            return InetAddress.getAllByName(host);
        }
        var lookUp = start(host, () -> InetAddress.getAllByName(host));
        try {
            return limit.isZero() ? lookUp.get() : lookUp.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw failure(host + ": no answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UnknownHostException unknown ? unknown : failure(host, e);
        }
    }

    /** Addresses are not looked up. */
    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(each -> each == '.' || (each >= '0' && each <= '9'));
    }

    private static UnknownHostException failure(String message, Throwable cause) {
        var failure = new UnknownHostException(message);
        failure.initCause(cause);
        return failure;
    }
}
