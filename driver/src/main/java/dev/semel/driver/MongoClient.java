package dev.semel.driver;

import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.event.RetryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * A client of a deployment. Create one for the application and share it between all threads. Closing it closes all its
 * connections; running operations fail.
 */
public interface MongoClient extends MongoCluster, AutoCloseable {
    /** The current description of the servers. */
    TopologyDescription getClusterDescription();

    /** Counters of the retries of this client. */
    RetryStatistics retryStatistics();

    /** Adds a library that uses the driver to the client metadata of new connections. */
    void appendMetadata(String name, @Nullable String version, @Nullable String platform);

    @Override
    void close();
}
