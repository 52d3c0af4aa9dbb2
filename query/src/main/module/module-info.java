/**
 * The language: filters, expressions, updates, projections and pipelines, for the server alone.
 */
@SuppressWarnings({"module", "requires-automatic"})
module dev.semel.query {
    requires transitive dev.semel.wire;
    requires com.ibm.icu;
    requires s2.geometry;
    requires org.apache.lucene.analysis.common;
    requires org.apache.lucene.core;
    requires org.mozilla.rhino;

    exports dev.semel.query.delta to
            dev.semel.server;
    exports dev.semel.query.expression to
            dev.semel.server;
    exports dev.semel.query.filter to
            dev.semel.server;
    exports dev.semel.query.geo to
            dev.semel.server;
    exports dev.semel.query.pipeline to
            dev.semel.server;
    exports dev.semel.query.projection to
            dev.semel.server;
    exports dev.semel.query.script to
            dev.semel.server;
    exports dev.semel.query.text to
            dev.semel.server;
    exports dev.semel.query.update to
            dev.semel.server;
    exports dev.semel.query.value to
            dev.semel.server;
}
