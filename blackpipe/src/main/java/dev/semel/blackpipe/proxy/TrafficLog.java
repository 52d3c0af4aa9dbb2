package dev.semel.blackpipe.proxy;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Logs one line for each request and each change of the network, for people to read. */
public final class TrafficLog implements Observation.Observer {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private final PrintWriter out;
    private final ZoneId zone;

    public TrafficLog(PrintWriter out, ZoneId zone) {
        this.out = out;
        this.zone = zone;
    }

    @Override
    public void observed(Observation observation) {
        out.println(line(observation));
    }

    @Override
    public void networkChanged(Instant when, String what) {
        out.println(TIME.format(when.atZone(zone)) + "  ** " + what + " **");
    }

    private String line(Observation each) {
        String fault = each.fault().isEmpty() ? "" : "  ** " + each.fault() + " **";
        return String.format(
                Locale.ROOT,
                "%s #%-3d %-28s %6d B %9.2f ms  %s%s",
                TIME.format(each.arrived().atZone(zone)),
                each.request().connection(),
                each.request().name() + " " + each.request().namespace(),
                each.request().document().length(),
                each.micros() / 1000.0,
                outcome(each.reply()),
                fault);
    }

    /** A short description of a reply. */
    public static String outcome(@Nullable RawDocument reply) {
        if (reply == null) {
            return "no reply";
        }
        Value code = reply.get("code");
        if (code != null) {
            return "error " + Json.relaxed(code) + " "
                    + (reply.get("codeName") instanceof Value.Str(var name) ? name.toString() : "");
        }
        if (reply.get("writeErrors") instanceof Value.Array(var errors)
                && errors.get("0") instanceof Value.Doc(var first)) {
            Value writeCode = first.get("code");
            return "write error " + (writeCode == null ? "" : Json.relaxed(writeCode));
        }
        StringBuilder words = new StringBuilder("ok");
        for (String name : new String[] {"n", "nModified"}) {
            Value number = reply.get(name);
            if (number != null) {
                words.append(' ').append(name).append('=').append(Json.relaxed(number));
            }
        }
        return words.toString();
    }
}
