package dev.semel.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The first target over the second, pair by pair of an interleaved run: the machine's drift falls out. */
final class Ratios {
    private final List<Measurement> first;
    private final List<Measurement> second;

    Ratios(List<Measurement> first, List<Measurement> second) {
        this.first = first;
        this.second = second;
    }

    String json() {
        Measurement a = first.getFirst();
        Measurement b = second.getFirst();
        return String.format(
                Locale.ROOT,
                "{\"ratio\":\"%s/%s\",\"workload\":\"%s\",\"clients\":%d,\"pairs\":%d,"
                        + "\"serverCpuPerOperation\":%s,\"perSecond\":%s}",
                a.target(),
                b.target(),
                a.workload().label(),
                a.clients(),
                first.size(),
                spread(Measurement::serverCpuMicrosPerOperation),
                spread(Measurement::perSecond));
    }

    private String spread(ToDoubleFunction<Measurement> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < first.size(); pair++) {
            ratios.add(figure.applyAsDouble(first.get(pair)) / figure.applyAsDouble(second.get(pair)));
        }
        ratios.sort(Double::compare);
        return String.format(
                Locale.ROOT,
                "{\"min\":%.3f,\"median\":%.3f,\"max\":%.3f}",
                ratios.getFirst(),
                ratios.get(ratios.size() / 2),
                ratios.getLast());
    }
}
