package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups that did not fit into memory: runs in the order of their keys, in which each group has one part for each time that its stage
 * had to spill. In the end the parts of a group are combined, one group after the other.
 */
final class SpilledGroups implements AutoCloseable {
    private final Group group;
    private final MemoryBudget budget;
    private final Environment environment;
    private final SpilledRuns<Part> runs;
    private @Nullable Part next;
    private boolean begun;

    private record Part(Value key, List<Value> states) {}

    /** With a budget for groups, and one for what merging holds. */
    SpilledGroups(Group group, MemoryBudget budget, MemoryBudget merging, Environment environment) {
        this.group = group;
        this.budget = budget;
        this.environment = environment;
        this.runs = new SpilledRuns<>(
                merging, new Format(), (a, b) -> group.collation().compare(a.key, b.key), environment::checkpoint);
    }

    /** An array of the key and the states. */
    private static final class Format implements SpillFormat<Part> {
        @Override
        public List<ByteBuffer> parts(Part part) {
            BsonWriter all = new BsonWriter(256).add(part.key);
            part.states.forEach(all::add);
            RawDocument written = all.finish();
            return List.of(ByteBuffer.wrap(written.array(), written.offset(), written.length()));
        }

        @Override
        public Part fromBytes(byte[] record) {
            List<Value> states = new ArrayList<>();
            Value key = null;
            for (Element each : RawDocument.of(record)) {
                if (key == null) {
                    key = each.value();
                } else {
                    states.add(each.value());
                }
            }
            if (key == null) {
                throw new IllegalArgumentException("a group without a key");
            }
            return new Part(key, states);
        }
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Adds the groups of a table from a number on, which came later than all before. */
    void add(KeyTable table, int from, Accumulator[][] states) {
        if (table.size() == 1 && budget.isFull()) {
            // It would have to be held as a whole in the end.
            throw budget.tooLarge();
        }
        Iterator<Part> sorted = IntStream.range(from, table.size())
                .boxed()
                .sorted((a, b) -> group.collation().compare(table.value(a), table.value(b)))
                .map(number -> part(table.value(number), states[number]))
                .iterator();
        runs.add(() -> sorted);
    }

    private static Part part(Value key, Accumulator[] states) {
        List<Value> all = new ArrayList<>(states.length);
        for (Accumulator each : states) {
            all.add(each.state());
        }
        return new Part(key, all);
    }

    /** The result for the next group, null after the last. */
    @Nullable
    RawDocument next() {
        if (!begun) {
            begun = true;
            next = runs.next();
        }
        Part first = next;
        if (first == null) {
            return null;
        }
        Accumulator[] states = group.start(first.key, budget, environment);
        Part part = first;
        while (part != null && group.collation().equal(part.key, first.key)) {
            environment.checkpoint();
            for (int i = 0; i < states.length; i++) {
                states[i].combine(part.states.get(i));
            }
            if (budget.isFull()) {
                throw budget.tooLarge();
            }
            part = runs.next();
        }
        next = part;
        RawDocument result = group.result(first.key, states);
        budget.releaseAll();
        return result;
    }

    @Override
    public void close() {
        runs.close();
        next = null;
        begun = true;
    }
}
