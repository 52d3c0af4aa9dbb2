/**
 * The database, to be embedded: {@link dev.semel.server.Server} and its options.
 */
@SuppressWarnings("module")
module dev.semel.server {
    requires transitive dev.semel.wire;
    requires dev.semel.query;
    requires dev.semel.store;
    requires java.management;
    requires jdk.management;

    exports dev.semel.server;
    exports dev.semel.server.replica to
            dev.semel.cluster;
    exports dev.semel.server.tls;
}
