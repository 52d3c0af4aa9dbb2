/**
 * The bytes: raw BSON, protocol messages, error codes, limits, the account of memory.
 */
@SuppressWarnings({"module", "requires-automatic"})
module dev.semel.wire {
    requires static transitive org.jspecify;
    requires com.github.luben.zstd_jni;
    requires org.xerial.snappy;

    exports dev.semel.wire;
    exports dev.semel.wire.bson;
    exports dev.semel.wire.memory to
            dev.semel.query,
            dev.semel.store,
            dev.semel.server;
    exports dev.semel.wire.message;
    exports dev.semel.wire.scram to
            dev.semel.server,
            dev.semel.driver,
            dev.semel.blackpipe;
    exports dev.semel.wire.spill to
            dev.semel.query,
            dev.semel.store,
            dev.semel.server;
    exports dev.semel.wire.tls to
            dev.semel.server,
            dev.semel.driver,
            dev.semel.blackpipe;
}
