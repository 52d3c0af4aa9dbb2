package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Completion;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.server.LocalConnection;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine that does not hand over when it is asked for the first time. */
@Timeout(120)
class HandOverTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final AtomicInteger asked = new AtomicInteger();
    private final List<MemberHandle> members = new ArrayList<>();

    @AfterEach
    void close() {
        members.forEach(MemberHandle::close);
    }

    private ReplicationNode node(ReplicationNode real) {
        return proxy(ReplicationNode.class, (self, method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof ReplicationEngine engine ? engine(engine) : result;
        });
    }

    private ReplicationEngine engine(ReplicationEngine real) {
        return proxy(
                ReplicationEngine.class,
                (self, method, arguments) ->
                        method.getName().equals("transferLeadership") && asked.incrementAndGet() == 1
                                ? CompletableFuture.completedFuture(new Completion.Failed("of a test"))
                                : call(real, method, arguments));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private MemberHandle awaitPrimary() {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (true) {
            Optional<MemberHandle> primary =
                    members.stream().filter(MemberHandle::isWritablePrimary).findAny();
            if (primary.isPresent()) {
                return primary.get();
            }
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void aSuccessorIsAskedAgain() throws Exception {
        List<String> addresses = Cluster.freeAddresses(3);
        for (String each : addresses) {
            members.add(MemberHandle.start(
                    addresses,
                    each,
                    folder.resolve(each.replace(':', '-')),
                    false,
                    InstantSource.system(),
                    options -> node(RatisNode.start(options)),
                    store -> store));
        }
        MemberHandle first = awaitPrimary();
        RawDocument reply;
        try (LocalConnection connection = first.server().connect()) {
            reply = connection.run(new BsonWriter()
                    .put("replSetStepDown", 600)
                    .put("secondaryCatchUpPeriodSecs", 60)
                    .put("$db", "admin")
                    .finish());
        }
        assertThat(reply.toString()).doesNotContain("errmsg");
        assertThat(asked).hasValueGreaterThan(1);
        assertThat(awaitPrimary()).isNotSameAs(first);
    }
}
