package dev.semel.junit;

import dev.semel.blackpipe.proxy.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/**
 * Maps the type of a parameter to its value. Drivers are referred to by class name: a test may have either of them, or
 * none.
 */
final class Injection {
    private Injection() {}

    static boolean knows(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String",
                    "dev.semel.junit.SemelServer",
                    "dev.semel.blackpipe.proxy.Proxy",
                    "dev.semel.cluster.Cluster",
                    "com.mongodb.ConnectionString",
                    "com.mongodb.client.MongoClient",
                    "com.mongodb.client.MongoDatabase",
                    "dev.semel.driver.MongoClient",
                    "dev.semel.driver.MongoDatabase" -> true;
            default -> false;
        };
    }

    static Object of(Class<?> type, TestDatabase database, Deployment deployment) {
        return switch (type.getName()) {
            case "java.lang.String" -> database.uri();
            case "dev.semel.junit.SemelServer" -> server(deployment);
            case "dev.semel.cluster.Cluster" -> cluster(deployment);
            case "dev.semel.blackpipe.proxy.Proxy" -> given(database.proxy());
            case "com.mongodb.ConnectionString" -> OfficialDriver.connectionString(database);
            case "com.mongodb.client.MongoClient" -> OfficialDriver.client(database);
            case "com.mongodb.client.MongoDatabase" -> OfficialDriver.database(database);
            case "dev.semel.driver.MongoClient" -> OwnDriver.client(database);
            case "dev.semel.driver.MongoDatabase" -> OwnDriver.database(database);
            default -> throw new ParameterResolutionException("nothing of type " + type.getName());
        };
    }

    private static SemelServer server(Deployment deployment) {
        if (deployment instanceof SharedServer shared) {
            return shared.server();
        }
        throw new ParameterResolutionException("a set has several servers: take a dev.semel.cluster.Cluster instead");
    }

    private static Object cluster(Deployment deployment) {
        if (deployment instanceof SharedSet set) {
            return set.cluster();
        }
        throw new ParameterResolutionException("there is a Cluster only where the test has @SemelTest(members = 3)");
    }

    private static Proxy given(@Nullable Proxy proxy) {
        if (proxy == null) {
            throw new ParameterResolutionException("there is a proxy only where the test has @Faults");
        }
        return proxy;
    }
}
