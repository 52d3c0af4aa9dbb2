package dev.semel.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** Waiting for threads that end by themselves. */
final class Threads {
    private Threads() {}

    /** Waits even if interrupted, which is remembered: what the thread still has to write must be written. */
    static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs native code that takes long: on a virtual thread, others that share its carrier would wait. */
    static <T> T offCarrier(String name, Supplier<T> work) {
        if (!Thread.currentThread().isVirtual()) {
            return work.get();
        }
        try {
            return CompletableFuture.supplyAsync(
                            work,
                            task -> Thread.ofPlatform().daemon().name(name).start(task))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }

    static void offCarrier(String name, Runnable work) {
        offCarrier(name, () -> {
            work.run();
            return true;
        });
    }
}
