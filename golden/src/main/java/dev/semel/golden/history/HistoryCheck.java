package dev.semel.golden.history;

import dev.semel.golden.history.Trace.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jgrapht.Graph;
import org.jgrapht.alg.connectivity.GabowStrongConnectivityInspector;
import org.jgrapht.alg.shortestpath.BFSShortestPath;
import org.jgrapht.graph.AsSubgraph;

/**
 * Whether what clients saw could have come about under an isolation level. The order in which transactions wrote, read from
 * and overwrote each other must not contradict itself: a cycle of dependencies is something that no order explains.
 */
public final class HistoryCheck {
    private HistoryCheck() {}

    /** What contradicts that the transactions happened one after the other; empty if nothing does. */
    public static List<String> serializable(History history) {
        Dependencies dependencies = Dependencies.of(history);
        List<String> found = new ArrayList<>(dependencies.contradictions());
        found.addAll(cycles(dependencies.all()));
        return found;
    }

    /**
     * What contradicts that each transaction read from one instant and that of two that wrote the same one failed. A cycle
     * is allowed if two transactions in a row overwrote what the one before them had read (write skew), and only then: so a
     * step that overwrites counts together with the step before it, and what is left must go round nowhere.
     */
    public static List<String> snapshotIsolated(History history) {
        Dependencies dependencies = Dependencies.of(history);
        List<String> found = new ArrayList<>(dependencies.contradictions());
        found.addAll(cycles(dependencies.withoutNeighbouringOverwrites()));
        return found;
    }

    private static List<String> cycles(Graph<Trace, Dependencies.Step> graph) {
        List<String> cycles = new ArrayList<>();
        for (Dependencies.Step each : graph.edgeSet()) {
            if (graph.getEdgeSource(each).equals(graph.getEdgeTarget(each))) {
                cycles.add("cycle: " + graph.getEdgeSource(each) + " " + each);
            }
        }
        for (Set<Trace> knot : new GabowStrongConnectivityInspector<>(graph).stronglyConnectedSets()) {
            if (knot.size() > 1) {
                cycles.add(cycle(new AsSubgraph<>(graph, knot)));
            }
        }
        return cycles;
    }

    private static String cycle(Graph<Trace, Dependencies.Step> knot) {
        Dependencies.Step first = knot.edgeSet().stream()
                .filter(each -> !knot.getEdgeSource(each).equals(knot.getEdgeTarget(each)))
                .findFirst()
                .orElseThrow();
        Trace start = knot.getEdgeSource(first);
        StringBuilder text =
                new StringBuilder("cycle: ").append(start).append("\n  ").append(first);
        var back = BFSShortestPath.findPathBetween(knot, knot.getEdgeTarget(first), start);
        for (int i = 0; i < back.getLength(); i++) {
            text.append("\n  ")
                    .append(back.getVertexList().get(i))
                    .append("\n  ")
                    .append(back.getEdgeList().get(i));
        }
        return text.append("\n  back to the first").toString();
    }
}
