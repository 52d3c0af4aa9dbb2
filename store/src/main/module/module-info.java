/**
 * Tables, snapshots, transactions, locks and the commit log, for the server alone.
 */
@SuppressWarnings({"module", "requires-automatic"})
module dev.semel.store {
    requires transitive dev.semel.wire;
    requires org.xerial.snappy;
    requires rocksdbjni;

    exports dev.semel.store to
            dev.semel.server;
    exports dev.semel.store.key to
            dev.semel.server;
    exports dev.semel.store.lock to
            dev.semel.server;
    exports dev.semel.store.memory to
            dev.semel.server;
    exports dev.semel.store.rocks to
            dev.semel.server;
    exports dev.semel.store.spill to
            dev.semel.server;
}
