package dev.semel.bench.load;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** What is measured: one operation, repeated. */
enum Workload {
    INSERT("insert"),
    INSERT_BATCH("insertBatch"),
    INSERT_MANY("insertMany"),
    FIND_ID("findId"),
    FIND_INDEXED("findIndexed"),
    RANGE_100("range100"),
    INCREMENT("increment"),
    INCREMENT_ONE("incrementOne"),
    TRANSACTION("transaction"),
    GROUP("group");

    /** Documents in one {@link #INSERT_BATCH}. */
    static final int BATCH = 100;

    /** Documents in one {@link #INSERT_MANY}. */
    static final int MANY = 1000;

    /** Only when asked for: not every server to be compared with has transactions. */
    private static final Set<Workload> SPECIAL = EnumSet.of(INSERT_MANY, INCREMENT_ONE, TRANSACTION);

    private final String label;

    Workload(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** One of them with so many clients. */
    record WithClients(Workload workload, int clients) {}

    /** {@code all}, or names, each perhaps with a number of clients as in {@code transaction:64}; otherwise with all of these. */
    static List<WithClients> parse(String names, int[] clients) {
        if (names.equals("all")) {
            return Arrays.stream(values())
                    .filter(each -> !SPECIAL.contains(each))
                    .flatMap(each -> with(each, clients))
                    .toList();
        }
        return Arrays.stream(names.split(","))
                .flatMap(each -> one(each, clients))
                .toList();
    }

    private static Stream<WithClients> one(String text, int[] clients) {
        int colon = text.indexOf(':');
        return colon < 0
                ? with(named(text), clients)
                : Stream.of(
                        new WithClients(named(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1))));
    }

    private static Stream<WithClients> with(Workload workload, int[] clients) {
        return Arrays.stream(clients).mapToObj(each -> new WithClients(workload, each));
    }

    private static Workload named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.label.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload is called " + name));
    }
}
