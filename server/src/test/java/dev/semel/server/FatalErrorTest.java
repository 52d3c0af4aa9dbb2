package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of which a part has died does not go on without it. */
class FatalErrorTest {
    private final Error death = new Error("of a test");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"semel-commit", "semel-housekeeping", "semel-ttl", "semel-records"})
    void aDeadThreadIsToldToWhoeverRunsTheProcess(String name) throws Exception {
        List<Throwable> told = new CopyOnWriteArrayList<>();
        try (var server =
                Server.start(ServerOptions.directory(folder).inProcess().onFatal(told::add))) {
            assertThat(server.address()).isNotEmpty();
            dies(thread(name));
            assertThat(told).containsExactly(death);
        }
    }

    @Test
    void aServerWhoseOwnerDoesNotCareEndsAlone() throws Exception {
        try (var server = Server.start(ServerOptions.memory().inProcess())) {
            dies(thread("semel-housekeeping"));
            server.awaitEnd();
        }
    }

    private static Thread thread(String name) {
        var group = Thread.currentThread().getThreadGroup();
        var threads = new Thread[group.activeCount() + 10];
        return Arrays.stream(threads, 0, group.enumerate(threads))
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** As the virtual machine does when the thread has thrown this. */
    private void dies(Thread thread) {
        thread.getUncaughtExceptionHandler().uncaughtException(thread, death);
    }
}
