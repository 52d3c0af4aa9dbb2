package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** {@code $sample}: a number of random documents, each with the same probability, in random order. */
public record Sample(long size) implements Stage {
    private static final int ENTRY_BYTES = 64;

    static Stage parse(Value specification) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw wrong(28745, "the $sample stage specification must be an object");
        }
        Long size = null;
        for (Element option : options) {
            if (!option.name().equals("size")) {
                throw wrong(28748, "unrecognized option to $sample: " + option.name());
            }
            if (!Numbers.isNumber(option.value())) {
                throw wrong(28746, "size argument to $sample must be a number");
            }
            size = Numbers.exactLong(option.value()).orElse((long) Numbers.doubleOf(option.value()));
            if (size <= 0) {
                throw wrong(28747, "size argument to $sample must be a positive integer");
            }
        }
        if (size == null) {
            throw wrong(28749, "$sample stage must specify a size");
        }
        return new Sample(size);
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }

    private record Drawn(double lot, RawDocument document) {}

    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private @Nullable Iterator<Drawn> results;

            @Override
            public @Nullable RawDocument next() {
                if (results == null) {
                    results = draw(in, execution).iterator();
                }
                return results.hasNext() ? results.next().document() : null;
            }

            @Override
            public void close() {
                in.close();
                results = List.<Drawn>of().iterator();
            }
        };
    }

    /** Those with the lowest lots. */
    private List<Drawn> draw(Source in, Execution execution) {
        MemoryBudget budget = execution.budget("$sample");
        Comparator<Drawn> byLot = Comparator.comparingDouble(Drawn::lot);
        PriorityQueue<Drawn> lowest = new PriorityQueue<>(byLot.reversed());
        for (RawDocument next = in.next(); next != null; next = in.next()) {
            execution.environment().checkpoint();
            Drawn drawn = new Drawn(execution.environment().random().nextDouble(), next);
            Drawn highest = lowest.peek();
            if (lowest.size() == size && highest != null) {
                if (drawn.lot() >= highest.lot()) {
                    continue;
                }
                lowest.poll();
                budget.release(bytes(highest));
            }
            budget.charge(bytes(drawn));
            lowest.add(drawn);
        }
        List<Drawn> sorted = new ArrayList<>(lowest);
        sorted.sort(byLot);
        return sorted;
    }

    private static int bytes(Drawn drawn) {
        return drawn.document().length() + ENTRY_BYTES;
    }

    @Override
    public boolean collectFields(FieldSet into) {
        return false;
    }
}
