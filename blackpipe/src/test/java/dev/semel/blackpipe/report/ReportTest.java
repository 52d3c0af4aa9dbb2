package dev.semel.blackpipe.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClients;
import dev.semel.blackpipe.audit.Audit;
import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import java.io.StringReader;
import java.time.Duration;
import javax.xml.parsers.DocumentBuilderFactory;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** One audit, of a write that is not retried, in every report format. */
class ReportTest {
    private static AuditReport report;

    @BeforeAll
    static void audit() throws Exception {
        try (var server = Server.start(ServerOptions.memory());
                var direct = MongoClients.create(server.connectionString())) {
            report = Audit.of(uri -> {
                        try (var client = MongoClients.create(uri + "&retryWrites=false")) {
                            client.getDatabase(database(uri)).getCollection("c").insertOne(new Document());
                        }
                    })
                    .named("<insert> & \"hope\"")
                    .invariant(uri ->
                            direct.getDatabase(database(uri)).getCollection("c").countDocuments())
                    .target(server.connectionString())
                    .faults(Kind.TRANSIENT, Kind.OUTAGE, Kind.COMMAND_ERROR)
                    .selectionTimeout(Duration.ofMillis(700))
                    .run();
        }
    }

    private static String database(String uri) {
        return uri.substring(uri.lastIndexOf('/') + 1, uri.indexOf('?'));
    }

    private static Element xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)))
                .getDocumentElement();
    }

    @Test
    void tableHasALinePerFaultPoint() {
        assertThat(TextReport.of(report).lines().map(line -> line.replaceAll("\\d+ ms", "T")))
                .contains(
                        "  insert c  transient error  not received         may undercount  0 x     1         T",
                        "  insert c  command error    refused              correct         0 x     1         T",
                        "Not correct at 1 of " + report.findings().size() + " fault points.");
    }

    @Test
    void jsonHasEveryMessage() {
        var json = Json.parse(JsonReport.of(report));
        assertThat(json.get("correct")).isEqualTo(Value.FALSE);
        assertThat(json.toString()).contains("\"verdict\": \"may undercount\"").contains("\"command\": \"insert\"");
    }

    @Test
    void junitReportIsXmlWithAFailurePerWrongPoint() throws Exception {
        var suite = xml(JUnitReport.of(report));
        assertThat(suite.getAttribute("name")).isEqualTo("<insert> & \"hope\"");
        assertThat(suite.getAttribute("failures")).isEqualTo("1");
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(report.findings().size());
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(1);
    }

    @Test
    void drawingsAreWellFormedAndShowTheFault() throws Exception {
        for (var each : report.findings()) {
            var svg = xml(SequenceDiagram.of(each.messages()));
            assertThat(svg.getTagName()).isEqualTo("svg");
        }
        assertThat(HtmlReport.of(report))
                .contains("&lt;insert&gt; &amp; &quot;hope&quot;")
                .contains("may undercount")
                .contains("class=\"cross\"")
                .doesNotContain("<script", "http://", "https://");
    }
}
