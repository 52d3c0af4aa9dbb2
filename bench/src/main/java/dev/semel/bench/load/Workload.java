package dev.semel.bench.load;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured: one operation, repeated. */
enum Workload {
    INSERT("insert"),
    INSERT_BATCH("insertBatch"),
    FIND_ID("findId"),
    FIND_INDEXED("findIndexed"),
    RANGE_100("range100"),
    INCREMENT("increment"),
    GROUP("group");

    /** Documents in one {@link #INSERT_BATCH}. */
    static final int BATCH = 100;

    private final String label;

    Workload(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    static List<Workload> parse(String names) {
        if (names.equals("all")) {
            return List.of(values());
        }
        return Arrays.stream(names.split(",")).map(Workload::named).toList();
    }

    private static Workload named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.label.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload is called " + name));
    }
}
