package dev.semel.server.status;

import dev.semel.wire.Namespace;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How often and how long the server and each of its collections was worked on. */
public final class Usage {
    /** Beyond that many collections new ones are not counted. */
    private static final int NAMESPACES_MAX = 10_000;

    private final Map<Namespace, Times> byNamespace = new ConcurrentHashMap<>();
    private final Latencies latencies = new Latencies();

    /** The kinds of use that {@code top} distinguishes, by their names there. */
    public enum Kind {
        QUERIES("queries"),
        GET_MORE("getmore"),
        INSERT("insert"),
        UPDATE("update"),
        REMOVE("remove"),
        COMMANDS("commands");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /** What a command counts as. */
        public static Kind of(String command) {
            return switch (command) {
                case "find" -> QUERIES;
                case "getMore" -> GET_MORE;
                case "insert" -> INSERT;
                case "update" -> UPDATE;
                case "delete" -> REMOVE;
                default -> COMMANDS;
            };
        }

        public boolean isWrite() {
            return this == INSERT || this == UPDATE || this == REMOVE;
        }
    }

    /** Of one collection. */
    public static final class Times {
        private final LongAdder[] counts = adders();
        private final LongAdder[] micros = adders();
        private final Latencies latencies = new Latencies();

        private static LongAdder[] adders() {
            LongAdder[] adders = new LongAdder[Kind.values().length];
            for (int i = 0; i < adders.length; i++) {
                adders[i] = new LongAdder();
            }
            return adders;
        }

        public long count(Kind kind) {
            return counts[index(kind)].sum();
        }

        public long micros(Kind kind) {
            return micros[index(kind)].sum();
        }

        private static int index(Kind kind) {
            return switch (kind) {
                case QUERIES -> 0;
                case GET_MORE -> 1;
                case INSERT -> 2;
                case UPDATE -> 3;
                case REMOVE -> 4;
                case COMMANDS -> 5;
            };
        }
    }

    /** A command has ended; it may have been on no collection. */
    public void count(@Nullable Namespace namespace, String command, long nanos) {
        latencies.count(command, nanos);
        if (namespace != null) {
            countIn(namespace, command, nanos);
        }
    }

    private void countIn(Namespace namespace, String command, long nanos) {
        Times times = byNamespace.get(namespace);
        if (times == null) {
            if (byNamespace.size() >= NAMESPACES_MAX) {
                return;
            }
            times = byNamespace.computeIfAbsent(namespace, absent -> new Times());
        }
        times.latencies.count(command, nanos);
        int index = Times.index(Kind.of(command));
        times.counts[index].increment();
        times.micros[index].add(nanos / 1000);
    }

    /** Of all commands. */
    public Latencies latencies() {
        return latencies;
    }

    /** Of those on one collection. */
    public Latencies latencies(Namespace namespace) {
        Times times = byNamespace.get(namespace);
        return times == null ? new Latencies() : times.latencies;
    }

    /** In the order of the names. */
    public Map<Namespace, Times> all() {
        return new TreeMap<>(byNamespace);
    }
}
