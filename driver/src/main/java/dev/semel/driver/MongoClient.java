package dev.semel.driver;

import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.event.RetryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a database, kept for as long as the application runs and shared by all its threads. Closing it closes all
 * its connections; what is under way fails.
 */
public interface MongoClient extends MongoCluster, AutoCloseable {
    /** What is known of the servers now. */
    TopologyDescription getClusterDescription();

    /** What retrying has done for this client so far. */
    RetryStatistics retryStatistics();

    /** A library on top of the driver makes itself known to the servers, on connections made from now on. */
    void appendMetadata(String name, @Nullable String version, @Nullable String platform);

    @Override
    void close();
}
