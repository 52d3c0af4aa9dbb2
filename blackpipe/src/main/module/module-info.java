/**
 * Faults between any application and any server: scripted server, fault proxy, audit.
 */
module dev.semel.blackpipe {
    requires transitive dev.semel.wire;
    requires jdk.httpserver;
    requires org.snakeyaml.engine;

    exports dev.semel.blackpipe.audit;
    exports dev.semel.blackpipe.fault;
    exports dev.semel.blackpipe.message;
    exports dev.semel.blackpipe.proxy;
    exports dev.semel.blackpipe.report;
    exports dev.semel.blackpipe.script;
    exports dev.semel.blackpipe.tape;
}
