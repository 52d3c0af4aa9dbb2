package dev.semel.server;

import dev.semel.golden.GoldenScripts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What commands answer, by scripts; the same on either store. */
class CommandScriptsTest {
    private static final List<String> FOLDERS = List.of(
            "aggregate",
            "atomicity",
            "bulkWrite",
            "capped",
            "changes",
            "collation",
            "count",
            "create",
            "cursor",
            "delete",
            "distinct",
            "explain",
            "failpoint",
            "find",
            "findAndModify",
            "geo",
            "handshake",
            "insert",
            "javascript",
            "maintenance",
            "retryable",
            "text",
            "tokumx",
            "transactions",
            "update",
            "view");

    @TestFactory
    Stream<DynamicTest> inMemory() {
        return run(() -> new ScriptSession(ServerOptions.memory()));
    }

    @TestFactory
    Stream<DynamicTest> onDisk(@TempDir Path folder) {
        AtomicInteger count = new AtomicInteger();
        return run(() -> new ScriptSession(ServerOptions.directory(folder.resolve("db" + count.incrementAndGet()))));
    }

    @TestFactory
    Stream<DynamicTest> withAccessControl() {
        return GoldenScripts.named("access")
                .run(() -> new ScriptSession(ServerOptions.memory().accessControl()));
    }

    private static Stream<DynamicTest> run(Supplier<ScriptSession> sessions) {
        return FOLDERS.stream().flatMap(each -> GoldenScripts.named(each).run(sessions));
    }
}
