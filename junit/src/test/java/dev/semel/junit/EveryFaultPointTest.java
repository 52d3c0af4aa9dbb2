package dev.semel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.audit.PartlyApplied;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherConstants;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class EveryFaultPointTest {
    /** Run by the test below: most of its tests fail. */
    static class HalfTransfers {
        @EveryFaultPoint(timesApplied = "fraction", faults = Kind.COMMAND_ERROR)
        void byFraction(MongoDatabase database) {
            transfer(database);
        }

        double fraction(MongoDatabase database) {
            return applied(database) / 2.0;
        }

        @EveryFaultPoint(timesApplied = "orThrows", faults = Kind.COMMAND_ERROR)
        void byException(MongoDatabase database) {
            transfer(database);
        }

        long orThrows(MongoDatabase database) {
            int applied = applied(database);
            if (applied == 1) {
                throw new PartlyApplied("bob has no money");
            }
            return applied / 2;
        }

        private static void transfer(MongoDatabase database) {
            var accounts = database.getCollection("accounts");
            var upsert = new UpdateOptions().upsert(true);
            accounts.updateOne(Filters.eq("ann"), Updates.inc("money", -10), upsert);
            accounts.updateOne(Filters.eq("bob"), Updates.inc("money", 10), upsert);
        }

        private static int applied(MongoDatabase database) {
            return database.getCollection("accounts")
                    .find()
                    .into(new ArrayList<>())
                    .size();
        }
    }

    @Test
    void halfAppliedStateIsATestThatFails() {
        assertThat(failures(HalfTransfers.class))
                .hasEntrySatisfying(
                        "byFraction: update accounts (2), command error, refused",
                        message -> assertThat(message)
                                .startsWith("may half-apply: ")
                                .contains("one transaction"))
                .hasEntrySatisfying(
                        "byException: update accounts (2), command error, refused",
                        message -> assertThat(message)
                                .startsWith("may half-apply: ")
                                .contains("bob has no money"))
                .hasSize(2);
    }

    /** The messages of the tests that fail, by method and name. */
    private static Map<String, String> failures(Class<?> tests) {
        var failures = new TreeMap<String, String>();
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter(LauncherConstants.DEACTIVATE_LISTENERS_PATTERN_PROPERTY_NAME, "*")
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                result.getThrowable()
                        .ifPresent(failure -> failures.put(
                                name(test), Objects.requireNonNullElse(failure.getMessage(), failure.toString())));
            }
        });
        return failures;
    }

    private static String name(TestIdentifier test) {
        String method = test.getUniqueIdObject().getSegments().stream()
                .filter(each -> each.getType().equals("test-template"))
                .map(each -> each.getValue().replaceFirst("\\(.*", ""))
                .findFirst()
                .orElse("");
        return method + ": " + test.getDisplayName();
    }
}
