package dev.semel.conformance.unified;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cases that demand what the texts of their own specification rule out, with what is wrong with them. */
final class Contradictory {
    private static final String NO_TIMEOUT = "contradicts itself: expects a timeout and sets none";

    private static final String TOO_SHORT = "contradicts itself: nothing takes as long as the timeout that it expects";

    private static final Map<String, String> CASES = Map.of(
            "client-side-operations-timeout/runCursorCommand.json: Non-tailable cursor iteration timeoutMS is"
                    + " refreshed for getMore if timeoutMode is iteration - failure",
            TOO_SHORT,
            "client-side-operations-timeout/runCursorCommand.json: Tailable cursor iteration timeoutMS is refreshed"
                    + " for getMore - failure",
            TOO_SHORT,
            "client-side-operations-timeout/runCursorCommand.json: Tailable cursor awaitData iteration timeoutMS is"
                    + " refreshed for getMore - failure",
            NO_TIMEOUT);

    private Contradictory() {}

    static @Nullable String reason(TestCase test) {
        return CASES.get(test.id());
    }
}
