/**
 * The Java client. What is not exported is its work inside: connections, pools, monitoring, the retry loop.
 */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.semel.driver {
    requires transitive dev.semel.wire;
    requires transitive org.mongodb.bson;
    requires org.mongodb.bson.record.codec;
    requires java.naming;
    requires static micrometer.commons;
    requires static micrometer.observation;

    exports dev.semel.driver;
    exports dev.semel.driver.description;
    exports dev.semel.driver.dns;
    exports dev.semel.driver.error;
    exports dev.semel.driver.event;
    exports dev.semel.driver.gridfs;
    exports dev.semel.driver.logging;
    exports dev.semel.driver.model;
    exports dev.semel.driver.model.changestream;
    exports dev.semel.driver.observation;
    exports dev.semel.driver.setting;
}
