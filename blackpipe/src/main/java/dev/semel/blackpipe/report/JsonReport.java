package dev.semel.blackpipe.report;

import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.proxy.Observation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import java.util.List;

/** All data of the report, for programs. */
public final class JsonReport {
    private JsonReport() {}

    public static String of(AuditReport report) {
        BsonWriter json = new BsonWriter()
                .put("name", report.name())
                .put("correct", report.isCorrect())
                .put("deterministic", report.deterministic())
                .put("cleanMs", report.cleanTook().toMillis());
        messages(json, "clean", report.clean());
        json.startArray("points");
        for (Finding each : report.findings()) {
            json.startDocument()
                    .put("message", each.point().message())
                    .put("fault", each.point().kind().label())
                    .put("moment", each.point().moment())
                    .put("background", each.point().background())
                    .put("verdict", each.verdict().label())
                    .put("effect", each.effect().toString())
                    .put("applied", each.applied())
                    .put("error", each.error())
                    .put("attempts", each.attempts())
                    .put("ms", each.took().toMillis())
                    .put("advice", each.advice());
            messages(json, "messages", each.messages());
            json.end();
        }
        return Json.relaxed(json.end().finish()) + "\n";
    }

    private static void messages(BsonWriter json, String name, List<Observation> messages) {
        json.startArray(name);
        for (Observation each : messages) {
            json.startDocument()
                    .put("connection", each.request().connection())
                    .put("command", each.request().name())
                    .put("namespace", each.request().namespace())
                    .put("reachedServer", each.reachedServer())
                    .put("answered", each.reply() != null)
                    .put("fault", each.fault())
                    .put("micros", each.micros())
                    .end();
        }
        json.end();
    }
}
