package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.proxy.Observation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The messages of a run: which belong to the operation, and the fault points of each. */
final class Messages {
    /** Commands that drivers send by themselves. */
    private static final Set<String> OF_THE_DRIVER = Set.of(
            "hello",
            "isMaster",
            "ismaster",
            "ping",
            "buildInfo",
            "buildinfo",
            "saslStart",
            "saslContinue",
            "authenticate",
            "logout",
            "endSessions",
            "killCursors",
            "getnonce");

    private Messages() {}

    static boolean isBackground(Observation each) {
        return OF_THE_DRIVER.contains(each.request().name());
    }

    /** Name and collection of the operation's own messages; runs are compared by it. */
    static List<String> outline(List<Observation> messages) {
        return messages.stream()
                .filter(each -> !isBackground(each))
                .map(each -> each.request().name() + " " + collection(each))
                .toList();
    }

    private static String collection(Observation each) {
        String namespace = each.request().namespace();
        int dot = namespace.indexOf('.');
        return dot < 0 ? "" : namespace.substring(dot + 1);
    }

    static int count(List<Observation> messages, FaultPoint point) {
        return (int) messages.stream().filter(each -> isOf(each, point)).count();
    }

    /** Whether it is the message of the fault point, or another one with the same command and collection. */
    static boolean isOf(Observation each, FaultPoint point) {
        return each.request().name().equals(point.command())
                && (point.background() || collection(each).equals(point.collection()));
    }

    /** Every moment of every message of the operation; of the driver's own, a transient error at the first of each name. */
    static List<FaultPoint> points(List<Observation> messages, Set<Kind> kinds) {
        List<FaultPoint> points = new ArrayList<>();
        List<FaultPoint> background = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (Observation each : messages) {
            String command = each.request().name();
            if (isBackground(each)) {
                if (seen.merge(command, 1, Integer::sum) == 1 && kinds.contains(Kind.TRANSIENT)) {
                    background.addAll(points(each, "", 1, Kind.TRANSIENT, true));
                }
                continue;
            }
            String collection = collection(each);
            int nth = seen.merge(command + " " + collection, 1, Integer::sum);
            kinds.forEach(kind -> points.addAll(points(each, collection, nth, kind, false)));
        }
        points.addAll(background);
        return points;
    }

    private static List<FaultPoint> points(
            Observation message, String collection, int nth, Kind kind, boolean background) {
        boolean isAnswered = !background || message.reply() != null;
        return Stream.of(Phase.BEFORE, Phase.AFTER_APPLY)
                .filter(each -> each == Phase.BEFORE || (kind.affectsReplies() && isAnswered))
                .map(each -> new FaultPoint(
                        message.request().name(),
                        collection,
                        nth,
                        each,
                        kind,
                        background,
                        message.request().retryLabels()))
                .toList();
    }
}
