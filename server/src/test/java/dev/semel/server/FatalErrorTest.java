package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.Replication;
import dev.semel.server.replica.Standalone;
import dev.semel.store.CommitLog;
import dev.semel.store.EngineException;
import dev.semel.store.Store;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server of which a part has died does not go on without it. */
@Isolated("finds threads of the server by name")
class FatalErrorTest {
    private final Error death = new Error("of a test");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"semel-commit", "semel-housekeeping", "semel-ttl", "semel-records"})
    void aDeadThreadIsReportedToTheOwnerOfTheProcess(String name) throws Exception {
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

    /** What the server could not write does not keep it from ending. */
    @Test
    void aServerThatCannotWriteCloses() throws Exception {
        var broken = new AtomicBoolean();
        List<Throwable> told = new CopyOnWriteArrayList<>();
        try (var server = Server.start(
                        ServerOptions.directory(folder).inProcess().onFatal(told::add),
                        new Foundation(null, new OnBrokenStore(broken)));
                var connection = server.connect()) {
            var insert = new BsonWriter().put("insert", "c").put("$db", "test");
            insert.startArray("documents")
                    .add(new BsonWriter().put("_id", 1).finish())
                    .end();
            assertThat(connection.run(insert.finish()).get("n")).isEqualTo(Value.of(1));
            broken.set(true);
            var delete = new BsonWriter().put("drop", "c").put("$db", "test").finish();
            assertThat(connection.run(delete).get("ok")).isEqualTo(Value.of(0.0));
        }
        assertThat(told).hasSize(1);
        Server.start(ServerOptions.directory(folder).inProcess()).close();
    }

    /** A single server on a store whose disk fails from some moment on. */
    private record OnBrokenStore(AtomicBoolean isBroken) implements Replication {
        @Override
        public InstantSource clock() {
            return InstantSource.system();
        }

        @Override
        public Store open(Data data) throws IOException {
            Store store = data.open();
            return (Store) Proxy.newProxyInstance(
                    Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                        if (isBroken.get() && List.of("write", "syncLog").contains(method.getName())) {
                            throw new EngineException("the disk fails");
                        }
                        return method.invoke(store, arguments);
                    });
        }

        @Override
        public CommitLog.Opener log() {
            return CommitLog.local();
        }

        @Override
        public ReplicaSet describe(Transactions transactions) {
            return new Standalone(System::nanoTime);
        }

        @Override
        public void start(Duties duties) {
            duties.takeOver();
        }

        @Override
        public void close() {}
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
