package dev.semel.cluster;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Members read each other's log and checkpoints, so versions of Semel that write them differently cannot belong to one set. A member
 * asks for that when it starts, and asks whoever is elected.
 */
record SameFormat(String self, MemberClient client) {
    /** A field of {@code hello} that MongoDB does not have. */
    static final String FIELD = "memberFormat";

    private static final Duration ANSWER_ATMOST = Duration.ofMillis(500);

    /** Who does not answer may have any; it asks this member when it starts. */
    void require(List<String> hosts) throws IOException {
        List<Future<?>> questions = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String each : hosts) {
                questions.add(threads.submit(() -> {
                    require(each);
                    return null;
                }));
            }
            for (Future<?> each : questions) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(Objects.requireNonNullElse(e.getCause(), e).getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    void require(String host) throws IOException {
        RawDocument hello;
        try {
            hello = client.hello(host, ANSWER_ATMOST);
        } catch (IOException e) {
            return;
        }
        if (hello.get(FIELD) instanceof Value.Int32(int format) && format != Invitation.FORMAT) {
            throw new IOException(
                    "%s runs another version of Semel: its log has the format %d, and that of %s the format %d. Run the same version on all members; start this one with the version of the others"
                            .formatted(host, format, self, Invitation.FORMAT));
        }
    }
}
