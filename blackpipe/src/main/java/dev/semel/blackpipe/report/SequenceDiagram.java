package dev.semel.blackpipe.report;

import dev.semel.blackpipe.proxy.Observation;
import dev.semel.blackpipe.proxy.TrafficLog;
import java.util.List;
import java.util.Locale;

/** Messages as arrows between application and server, each with the number of its connection, drawn as SVG. */
public final class SequenceDiagram {
    private static final int WIDTH = 640;
    private static final int LEFT = 90;
    private static final int RIGHT = 550;
    private static final int MIDDLE = (LEFT + RIGHT) / 2;
    private static final int TOP = 44;
    private static final int STEP = 62;

    private SequenceDiagram() {}

    public static String of(List<Observation> messages) {
        int height = TOP + STEP * messages.size() + 4;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"sequence diagram\">%n",
                WIDTH,
                height,
                WIDTH,
                height));
        lifeline(svg, LEFT, height, "application");
        lifeline(svg, MIDDLE, height, "network");
        lifeline(svg, RIGHT, height, "server");
        for (int i = 0; i < messages.size(); i++) {
            message(svg, messages.get(i), TOP + STEP * i + 12);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void lifeline(StringBuilder svg, int x, int height, String name) {
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"end\" x=\"%d\" y=\"20\">%s</text><line class=\"life\" x1=\"%d\" y1=\"28\" x2=\"%d\""
                        + " y2=\"%d\"/>%n",
                x,
                name,
                x,
                x,
                height - 6));
    }

    private static void message(StringBuilder svg, Observation each, int y) {
        boolean hasFault = !each.fault().isEmpty();
        text(svg, LEFT + 8, y - 4, "msg", each.request().name() + " " + collection(each));
        text(svg, LEFT - 8, y + 4, "from", "#" + each.request().connection());
        arrow(svg, LEFT, each.reachedServer() ? RIGHT : MIDDLE, y, "req");
        if (!each.reachedServer()) {
            cross(svg, MIDDLE, y, each.fault());
            if (each.reply() != null) {
                arrow(svg, MIDDLE, LEFT, y + 22, "rep");
                text(svg, LEFT + 8, y + 18, "note", TrafficLog.outcome(each.reply()));
            }
            return;
        }
        boolean lost = each.reply() == null;
        arrow(svg, RIGHT, lost ? MIDDLE : LEFT, y + 22, "rep");
        if (lost) {
            cross(svg, MIDDLE, y + 22, each.fault());
        } else {
            text(svg, MIDDLE + 8, y + 18, "note", TrafficLog.outcome(each.reply()) + time(each));
            if (hasFault) {
                text(svg, LEFT + 8, y + 18, "fault", each.fault());
            }
        }
    }

    private static String collection(Observation each) {
        String namespace = each.request().namespace();
        int dot = namespace.indexOf('.');
        return dot < 0 ? "" : namespace.substring(dot + 1);
    }

    private static String time(Observation each) {
        return String.format(Locale.ROOT, ", %.1f ms", each.micros() / 1000.0);
    }

    private static void arrow(StringBuilder svg, int from, int to, int y, String type) {
        int back = to > from ? -7 : 7;
        svg.append(String.format(
                Locale.ROOT,
                "<path class=\"%s\" d=\"M%d %dH%d\"/><path d=\"M%d %dl%d -4M%d %dl%d 4\"/>%n",
                type,
                from,
                y,
                to,
                to,
                y,
                back,
                to,
                y,
                back));
    }

    private static void cross(StringBuilder svg, int x, int y, String fault) {
        svg.append(
                String.format(Locale.ROOT, "<path class=\"cross\" d=\"M%d %dl12 12m0 -12l-12 12\"/>%n", x - 6, y - 6));
        text(svg, x + 14, y - 5, "fault", fault);
    }

    private static void text(StringBuilder svg, int x, int y, String type, String text) {
        svg.append(String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", type, x, y, Markup.escaped(text)));
    }
}
