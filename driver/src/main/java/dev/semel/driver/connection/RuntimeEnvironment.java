package dev.semel.driver.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Where the program runs, according to its environment variables: functions of the large providers, and containers.
 *
 * @param inDocker whether the file exists that Docker creates
 */
public record RuntimeEnvironment(Map<String, String> variables, boolean inDocker) {
    private static final String LAMBDA = "AWS_Lambda_";

    /** The document for {@code client.env}, or null where there is nothing to say. */
    @Nullable
    BsonDocument document() {
        var env = new BsonDocument();
        String provider = provider();
        if (provider != null) {
            env.append("name", new BsonString(provider));
            switch (provider) {
                case "aws.lambda" -> {
                    text(env, "region", "AWS_REGION");
                    number(env, "memory_mb", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE");
                }
                case "gcp.func" -> {
                    text(env, "region", "FUNCTION_REGION");
                    number(env, "memory_mb", "FUNCTION_MEMORY_MB");
                    number(env, "timeout_sec", "FUNCTION_TIMEOUT_SEC");
                }
                case "vercel" -> text(env, "region", "VERCEL_REGION");
                default -> {}
            }
        }
        var container = new BsonDocument();
        if (inDocker) {
            container.append("runtime", new BsonString("docker"));
        }
        if (isSet("KUBERNETES_SERVICE_HOST")) {
            container.append("orchestrator", new BsonString("kubernetes"));
        }
        if (!container.isEmpty()) {
            env.append("container", container);
        }
        return env.isEmpty() ? null : env;
    }

    /** None if the variables name two: the environment is unknown then. Vercel itself runs on Lambda. */
    private @Nullable String provider() {
        List<String> found = new ArrayList<>();
        if (isSet("VERCEL")) {
            found.add("vercel");
        } else if (variables.getOrDefault("AWS_EXECUTION_ENV", "").startsWith(LAMBDA)
                || isSet("AWS_LAMBDA_RUNTIME_API")) {
            found.add("aws.lambda");
        }
        if (isSet("FUNCTIONS_WORKER_RUNTIME")) {
            found.add("azure.func");
        }
        if (isSet("K_SERVICE") || isSet("FUNCTION_NAME")) {
            found.add("gcp.func");
        }
        return found.size() == 1 ? found.getFirst() : null;
    }

    private boolean isSet(String variable) {
        return !variables.getOrDefault(variable, "").isEmpty();
    }

    private void text(BsonDocument to, String field, String variable) {
        if (isSet(variable)) {
            to.append(field, new BsonString(variables.getOrDefault(variable, "")));
        }
    }

    private void number(BsonDocument to, String field, String variable) {
        String value = variables.getOrDefault(variable, "");
        if (value.matches("\\d{1,9}")) {
            to.append(field, new BsonInt32(Integer.parseInt(value)));
        }
    }
}
