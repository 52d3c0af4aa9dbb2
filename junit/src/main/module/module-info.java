/**
 * A database for each JUnit test, and faults on the way to it.
 */
@SuppressWarnings("requires-automatic")
module dev.semel.junit {
    requires transitive dev.semel.server;
    requires transitive dev.semel.blackpipe;
    requires transitive org.junit.jupiter.api;
    requires static dev.semel.driver;
    requires static org.mongodb.driver.sync.client;
    requires static org.mongodb.driver.core;

    exports dev.semel.junit;

    opens dev.semel.junit to
            org.junit.platform.commons;
}
