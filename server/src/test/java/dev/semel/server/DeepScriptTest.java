package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A function that calls itself forever ends with an error, however often its stack is put aside meanwhile. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeepScriptTest {
    @RegisterExtension
    private final ServerWithLimits server = new ServerWithLimits(Map.of());

    /** As a connection does, whose thread is virtual. */
    private RawDocument run(String command) {
        return CompletableFuture.supplyAsync(() -> server.run(command), Thread::startVirtualThread)
                .join();
    }

    @ParameterizedTest
    @CsvSource({
        // Conversions call functions from within the interpreter, with a stack of its own for each.
        "0, '+object'",
        "100, '+object'",
        "1000, '+object'",
        "1000, 'object + 1'",
        "1000, '[1].map(object.valueOf)'",
        "1000, '[1, 2].sort(object.valueOf)'"
    })
    void ends(int turns, String again) {
        String body =
                "function() { const object = {valueOf() { for (let i = 0; i < %d; i++); return %s; }}; return +object; }"
                        .formatted(turns, again);
        RawDocument reply =
                run("{\"aggregate\": 1, \"cursor\": {}, \"$db\": \"db\", \"pipeline\": [{\"$documents\": [{}]},"
                        + " {\"$set\": {\"a\": {\"$function\": {\"lang\": \"js\", \"args\": [], \"body\": \"" + body
                        + "\"}}}}]}");
        assertThat(reply.get("code")).as(reply.toString()).isEqualTo(Value.of(139));
        assertThat(String.valueOf(reply.get("errmsg"))).contains("InternalError: too much recursion");
        RawDocument status = server.run("{\"serverStatus\": 1, \"$db\": \"admin\"}");
        assertThat(String.valueOf(status.get("memoryAccount"))).contains("\"queries\": {\"used\": 0,");
    }
}
