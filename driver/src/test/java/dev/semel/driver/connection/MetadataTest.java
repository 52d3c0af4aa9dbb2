package dev.semel.driver.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.setting.DriverInformation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client metadata of a handshake. */
class MetadataTest {
    private static final RuntimeEnvironment NOWHERE = new RuntimeEnvironment(Map.of(), false);

    private static @Nullable BsonDocument environment(String variables) {
        var map = Arrays.stream(variables.split(" ", -1))
                .filter(each -> !each.isEmpty())
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
        return new RuntimeEnvironment(map, false).document();
    }

    /** HSP-1.1, HSP-1.2, HSP-1.3, HSP-1.4, HSP-1.5, HSP-1.7, HSP-1.8, HSP-1.9. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AWS_EXECUTION_ENV=AWS_Lambda_java8 AWS_REGION=us-east-2 AWS_LAMBDA_FUNCTION_MEMORY_SIZE=1024"
                        + " | {name: 'aws.lambda', region: 'us-east-2', memory_mb: 1024}",
                "AWS_LAMBDA_RUNTIME_API=h:1 | {name: 'aws.lambda'}",
                "FUNCTIONS_WORKER_RUNTIME=node | {name: 'azure.func'}",
                "K_SERVICE=s FUNCTION_MEMORY_MB=1024 FUNCTION_TIMEOUT_SEC=60 FUNCTION_REGION=us-central1"
                        + " | {name: 'gcp.func', region: 'us-central1', memory_mb: 1024, timeout_sec: 60}",
                "VERCEL=1 VERCEL_REGION=cdg1 | {name: 'vercel', region: 'cdg1'}",
                "VERCEL=1 AWS_EXECUTION_ENV=AWS_Lambda_java8 AWS_REGION=us-east-2 | {name: 'vercel'}",
                "AWS_EXECUTION_ENV=AWS_Lambda_java8 FUNCTIONS_WORKER_RUNTIME=node |",
                "AWS_EXECUTION_ENV=AWS_Lambda_java8 AWS_LAMBDA_FUNCTION_MEMORY_SIZE=big | {name: 'aws.lambda'}",
                "AWS_EXECUTION_ENV=EC2 |",
                "AWS_EXECUTION_ENV=AWS_Lambda_java8 KUBERNETES_SERVICE_HOST=1"
                        + " | {name: 'aws.lambda', container: {orchestrator: 'kubernetes'}}",
                "NOTHING=1 |",
            })
    void environmentIsSentIfKnown(String variables, @Nullable String expected) {
        assertThat(environment(variables)).isEqualTo(expected == null ? null : BsonDocument.parse(expected));
    }

    @Test
    void containerIsSentWithoutProvider() {
        assertThat(new RuntimeEnvironment(Map.of(), true).document())
                .isEqualTo(BsonDocument.parse("{container: {runtime: 'docker'}}"));
    }

    /** HSP-1.6. */
    @Test
    void environmentLosesItsDetailsWhereThereIsNoRoomForThem() {
        var variables = new HashMap<>(Map.of("AWS_EXECUTION_ENV", "AWS_Lambda_java8"));
        variables.put("AWS_REGION", "a".repeat(512));
        var metadata = new Metadata(null, "1", new RuntimeEnvironment(variables, false));
        assertThat(metadata.document().getDocument("env")).isEqualTo(BsonDocument.parse("{name: 'aws.lambda'}"));
        assertThat(metadata.document().getDocument("os").containsKey("version")).isTrue();
    }

    private static List<String> told(Metadata metadata) {
        BsonDocument driver = metadata.document().getDocument("driver");
        BsonString platform = metadata.document().getString("platform");
        int own = platform.getValue().indexOf('|');
        return List.of(
                driver.getString("name").getValue().substring("semel-driver".length()),
                driver.getString("version").getValue().substring(1),
                own < 0 ? "" : platform.getValue().substring(own));
    }

    private static @Nullable DriverInformation information(String text) {
        if (text.isEmpty()) {
            return null;
        }
        String[] parts = text.split("/", -1);
        return new DriverInformation(
                parts[0], parts[1].equals("-") ? null : parts[1], parts[2].equals("-") ? null : parts[2]);
    }

    /**
     * HSP-M1.1, HSP-M1.2, HSP-M1.3, HSP-M1.4 (first column empty), HSP-M2.1, HSP-M2.2, HSP-M2.3, HSP-M2.4, HSP-M3.1, HSP-M3.2,
     * HSP-M3.3, HSP-M3.4, HSP-M3.5, HSP-M3.6, HSP-M3.7, HSP-M4, HSP-M5, HSP-M6, HSP-M7.2, HSP-M7.3, HSP-M8.2, HSP-M8.3: what is
     * known from the beginning and what is added later are kept in the same list.
     */
    @ParameterizedTest
    @CsvSource({
        "'', f/2/p, |f, |2, |p",
        "'', f/2/-, |f, |2, ''",
        "'', f/-/p, |f, '', |p",
        "'', f/-/-, |f, '', ''",
        "l/1/q, f/2/p, |l|f, |1|2, |q|p",
        "l/1/q, f/2/-, |l|f, |1|2, |q",
        "l/1/q, f/-/p, |l|f, |1, |q|p",
        "l/1/q, f/-/-, |l|f, |1, |q",
        "l/1/q, l/1/q, |l, |1, |q",
        "l/1/q, f/1/q, |l|f, |1|1, |q|q",
        "l/1/q, l/2/q, |l|l, |1|2, |q|q",
        "l/1/q, l/1/p, |l|l, |1|1, |q|p",
        "l/1/q, f/2/q, |l|f, |1|2, |q|q",
        "l/1/q, f/1/p, |l|f, |1|1, |q|p",
        "l/1/q, l/2/p, |l|l, |1|2, |q|p",
        "l/1/q f/2/p, l/1/q, |l|f, |1|2, |q|p",
        "l/-/q, l//q, |l, '', |q",
        "l/1/-, l/1/, |l, |1, ''",
        "l//q, l/-/q, |l, '', |q",
    })
    void librariesAreAddedUnlessTheyAreThereAlready(
            String before, String added, String names, String versions, String platforms) {
        var metadata = new Metadata(null, "1", NOWHERE);
        for (String each : (before + " " + added).split(" ", -1)) {
            DriverInformation library = information(each);
            if (library != null) {
                metadata.append(library);
            }
        }
        assertThat(told(metadata)).containsExactly(names, versions, platforms);
    }
}
