package dev.semel.bench.load;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is measured: one operation, repeated. */
enum Workload {
    INSERT("insert"),
    INSERT_BATCH("insertBatch"),
    FIND_ID("findId"),
    FIND_INDEXED("findIndexed"),
    RANGE_100("range100"),
    INCREMENT("increment"),
    INCREMENT_ONE("incrementOne"),
    TRANSACTION("transaction"),
    GROUP("group");

    /** Documents in one {@link #INSERT_BATCH}. */
    static final int BATCH = 100;

    /** Only when asked for: not every server to be compared with has transactions. */
    private static final Set<Workload> SPECIAL = EnumSet.of(INCREMENT_ONE, TRANSACTION);

    private final String label;

    Workload(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    static List<Workload> parse(String names) {
        if (names.equals("all")) {
            return Arrays.stream(values())
                    .filter(each -> !SPECIAL.contains(each))
                    .toList();
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
