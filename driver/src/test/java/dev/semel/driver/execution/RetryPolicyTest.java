package dev.semel.driver.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.connection.Time;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoConnectionPoolClearedException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketReadException;
import dev.semel.driver.logging.Log;
import dev.semel.driver.logging.LoggerSettings;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** How long an overloaded server is left alone. */
class RetryPolicyTest {
    private static RetryPolicy policy(DoubleSupplier jitter) {
        return new RetryPolicy(new ExecutionSettings(
                true,
                true,
                2,
                false,
                null,
                jitter,
                List.of(),
                List.of(),
                new Log(LoggerSettings.DEFAULT),
                Time.ofSystem()));
    }

    private static MongoException overload(String more) {
        return ErrorReply.exception(
                BsonDocument.parse("{ok: 0, code: 462, errmsg: 'busy'" + more + "}"), new ServerAddress("h", 1));
    }

    /** BPP-1. */
    @Test
    void pauseDoublesAndIsDrawnFromZero() {
        RetryPolicy longest = policy(() -> 1);
        assertThat(longest.backOff(overload(""), 1)).isEqualTo(Duration.ofMillis(200));
        assertThat(longest.backOff(overload(""), 2)).isEqualTo(Duration.ofMillis(400));
        assertThat(policy(() -> 0).backOff(overload(""), 2)).isZero();
        assertThat(policy(() -> 0.5).backOff(overload(""), 2)).isEqualTo(Duration.ofMillis(200));
    }

    /** With a timeout there may be many retries. */
    @Test
    void plainRetriesPauseFromTheSecondOn() {
        RetryPolicy longest = policy(() -> 1);
        assertThat(longest.pause(1)).isZero();
        assertThat(longest.pause(2)).isEqualTo(Duration.ofMillis(10));
        assertThat(longest.pause(4)).isEqualTo(Duration.ofMillis(40));
        assertThat(longest.pause(100)).isEqualTo(Duration.ofMillis(500));
        assertThat(policy(() -> 0).pause(3)).isEqualTo(Duration.ofMillis(10));
    }

    /** RR-42: the server was not asked, so there is no reason to avoid it. */
    @Test
    void clearedPoolIsNoReasonToAvoidItsServer() {
        var address = new ServerAddress("h", 1);
        assertThat(RetryPolicy.tellsOfServer(new MongoConnectionPoolClearedException(address, null)))
                .isFalse();
        assertThat(RetryPolicy.tellsOfServer(new MongoSocketReadException("gone", address, null)))
                .isTrue();
    }

    @Test
    void pauseIsNeverLongerThanTenSeconds() {
        assertThat(policy(() -> 1).backOff(overload(""), 40)).isEqualTo(Duration.ofSeconds(10));
    }

    /** BPP-5. */
    @Test
    void serverMayNameAnotherPause() {
        assertThat(policy(() -> 1).backOff(overload(", baseBackoffMS: 50"), 1)).isEqualTo(Duration.ofMillis(100));
        assertThat(policy(() -> 1).backOff(overload(", baseBackoffMS: 50"), 2)).isEqualTo(Duration.ofMillis(200));
    }
}
