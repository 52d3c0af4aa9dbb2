package dev.semel.golden.history;

import dev.semel.golden.history.Trace.History;
import dev.semel.golden.history.Trace.Outcome;
import dev.semel.golden.history.Trace.Step.Append;
import dev.semel.golden.history.Trace.Step.Read;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jgrapht.Graph;
import org.jgrapht.graph.DefaultDirectedGraph;
import org.jspecify.annotations.Nullable;

/** Which transactions must have come before which, and what cannot have been at all. */
final class Dependencies {
    private final List<String> contradictions = new ArrayList<>();

    /** Who wrote before, was read, or was the same client's earlier transaction. */
    private final Graph<Trace, Step> direct = new DefaultDirectedGraph<>(Step.class);

    /** Who read what the other overwrote. */
    private final Graph<Trace, Step> overwritten = new DefaultDirectedGraph<>(Step.class);

    private final Map<String, List<Integer>> lists;
    private final Map<String, Map<Integer, Trace>> writers = new HashMap<>();

    /** Why one transaction comes before another. An identity of its own, as a graph's edges need one. */
    static final class Step {
        private final String why;

        Step(String why) {
            this.why = why;
        }

        @Override
        public String toString() {
            return why;
        }
    }

    private Dependencies(Map<String, List<Integer>> lists) {
        this.lists = lists;
    }

    static Dependencies of(History history) {
        Dependencies made = new Dependencies(history.lists());
        List<Trace> committed = made.committed(history.traces());
        for (Trace each : committed) {
            made.direct.addVertex(each);
            made.overwritten.addVertex(each);
        }
        made.inOrderOfClients(committed);
        made.inOrderOfWrites();
        for (Trace each : committed) {
            made.inOrderOfReads(each);
        }
        return made;
    }

    List<String> contradictions() {
        return contradictions;
    }

    Graph<Trace, Step> all() {
        Graph<Trace, Step> all = copy(direct);
        overwritten
                .edgeSet()
                .forEach(each -> all.addEdge(overwritten.getEdgeSource(each), overwritten.getEdgeTarget(each), each));
        return all;
    }

    Graph<Trace, Step> withoutNeighbouringOverwrites() {
        Graph<Trace, Step> graph = copy(direct);
        for (Step first : direct.edgeSet()) {
            Trace middle = direct.getEdgeTarget(first);
            for (Step second : overwritten.outgoingEdgesOf(middle)) {
                graph.addEdge(
                        direct.getEdgeSource(first),
                        overwritten.getEdgeTarget(second),
                        new Step(first + " " + middle + " " + second));
            }
        }
        return graph;
    }

    private static Graph<Trace, Step> copy(Graph<Trace, Step> graph) {
        Graph<Trace, Step> copy = new DefaultDirectedGraph<>(Step.class);
        graph.vertexSet().forEach(copy::addVertex);
        graph.edgeSet().forEach(each -> copy.addEdge(graph.getEdgeSource(each), graph.getEdgeTarget(each), each));
        return copy;
    }

    // ---- who has committed

    private List<Trace> committed(List<Trace> traces) {
        List<Trace> committed = new ArrayList<>();
        for (Trace trace : traces) {
            List<Append> appends = trace.steps().stream()
                    .filter(Append.class::isInstance)
                    .map(Append.class::cast)
                    .toList();
            long there = appends.stream().filter(this::isThere).count();
            boolean isCommitted = switch (trace.outcome()) {
                case COMMITTED -> true;
                case ABORTED -> false;
                case UNKNOWN -> there > 0;
            };
            if (there != (isCommitted ? appends.size() : 0)) {
                contradictions.add("%s, %s: of %d appended elements %d are there"
                        .formatted(trace, trace.outcome(), appends.size(), there));
            }
            if (isCommitted) {
                committed.add(trace);
            }
            // Aborted ones too: another transaction may have read them.
            appends.forEach(each -> writers.computeIfAbsent(each.list(), list -> new HashMap<>())
                    .put(each.element(), trace));
        }
        return committed;
    }

    private boolean isThere(Append append) {
        return lists.getOrDefault(append.list(), List.of()).contains(append.element());
    }

    // ---- which come before which

    private void inOrderOfClients(List<Trace> committed) {
        Map<Integer, Trace> last = new HashMap<>();
        for (Trace each : committed) {
            Trace before = last.put(each.client(), each);
            if (before != null && before.outcome() != Outcome.UNKNOWN) {
                add(direct, before, each, "was followed by the same client's");
            }
        }
    }

    private void inOrderOfWrites() {
        lists.forEach((list, elements) -> {
            for (int i = 1; i < elements.size(); i++) {
                add(
                        direct,
                        writer(list, elements.get(i - 1)),
                        writer(list, elements.get(i)),
                        "wrote " + list + " before");
            }
        });
    }

    private void inOrderOfReads(Trace reader) {
        Map<String, Integer> own = new LinkedHashMap<>();
        for (Trace.Step step : reader.steps()) {
            switch (step) {
                case Append(String list, int element) -> own.merge(list, 1, Integer::sum);
                case Read(String list, List<Integer> elements) ->
                    read(reader, list, elements, own.getOrDefault(list, 0));
            }
        }
    }

    private void read(Trace reader, String list, List<Integer> elements, int own) {
        List<Integer> last = lists.getOrDefault(list, List.of());
        int before = elements.size() - own;
        boolean seesOwn = before >= 0
                && elements.subList(before, elements.size()).stream()
                        .allMatch(each -> reader.equals(writer(list, each)));
        if (!seesOwn) {
            contradictions.add("%s read %s of %s and not its own %d elements".formatted(reader, elements, list, own));
            return;
        }
        List<Integer> others = elements.subList(0, before);
        if (before > last.size() || !others.equals(last.subList(0, before))) {
            contradictions.add(
                    "%s read %s of %s, which never was the beginning of it: %s".formatted(reader, others, list, last));
            return;
        }
        Trace writer = before == 0 ? null : writer(list, last.get(before - 1));
        Trace next = before == last.size() ? null : writer(list, last.get(before));
        if (writer != null && writer.equals(next) && !writer.equals(reader)) {
            contradictions.add("%s read %s of %s in the middle of %s".formatted(reader, others, list, writer));
        }
        add(direct, writer, reader, "wrote " + list + " for");
        add(overwritten, reader, next, "read " + list + " before it was written by");
    }

    private @Nullable Trace writer(String list, int element) {
        return writers.getOrDefault(list, Map.of()).get(element);
    }

    private void add(Graph<Trace, Step> graph, @Nullable Trace from, @Nullable Trace to, String why) {
        if (from != null && to != null && !from.equals(to) && graph.containsVertex(from) && graph.containsVertex(to)) {
            graph.addEdge(from, to, new Step(why));
        }
    }
}
