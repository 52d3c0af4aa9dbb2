package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.message.Request;
import dev.semel.blackpipe.proxy.Observation;
import dev.semel.blackpipe.proxy.Proxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One copy of the operation, with the messages that its proxy observes. */
final class Copy implements AutoCloseable {
    /** The connections of the second copy are numbered from here on, so that a drawing shows whose they are. */
    private static final int CONNECTIONS_APART = 100;

    /** What a copy does. */
    interface Work {
        void run() throws Exception;
    }

    private final int ordinal;
    private final Proxy proxy;
    private final List<Observation> messages = new CopyOnWriteArrayList<>();
    private FutureTask<Boolean> task = new FutureTask<>(() -> true);
    private String error = "";

    Copy(int ordinal, Proxy proxy) {
        this.ordinal = ordinal;
        this.proxy = proxy;
        proxy.observe(messages::add);
    }

    Proxy proxy() {
        return proxy;
    }

    void start(Work work) {
        task = new FutureTask<>(() -> {
            work.run();
            return true;
        });
        Thread.ofVirtual().name("audited").start(task);
    }

    void await(Duration limit) {
        error = ended(limit);
    }

    private String ended(Duration limit) {
        try {
            task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return "";
        } catch (TimeoutException e) {
            task.cancel(true);
            return "it did not end within " + limit.toMillis() + " ms";
        } catch (ExecutionException e) {
            // Without the class of the exception: users of other languages do not know it.
            return e.getCause() instanceof ProgramFailure failure
                    ? String.valueOf(failure.getMessage())
                    : String.valueOf(e.getCause());
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /** Empty if it succeeded. */
    String error() {
        return error;
    }

    /** Whether every rule of its plan has met its message. */
    boolean hasFault() {
        return proxy.plan().status().stream().map(Plan.RuleStatus::injected).allMatch(each -> each > 0);
    }

    List<Observation> messages() {
        return messages.stream().map(this::numbered).toList();
    }

    private Observation numbered(Observation each) {
        Request request = each.request();
        return new Observation(
                each.number(),
                each.arrived(),
                each.micros(),
                new Request(request.connection() + ordinal * CONNECTIONS_APART, request.application(), request.frame()),
                each.reachedServer(),
                each.reply(),
                each.fault());
    }

    @Override
    public void close() {
        try {
            proxy.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
