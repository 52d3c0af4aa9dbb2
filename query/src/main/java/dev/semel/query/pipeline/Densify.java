package dev.semel.query.pipeline;

import dev.semel.query.expression.Arithmetic;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.TimeUnit;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Held;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $densify}: documents with those values of a field that are missing in a sequence. The documents come sorted: the
 * parser puts a {@link Sort} before this stage. Every partition has a grid of values, one step apart; a document whose value
 * is not on the grid changes nothing of it.
 */
public record Densify(DottedPath field, List<DottedPath> partitionBy, Steps steps, Bounds bounds) implements Stage {
    static final String NAME = "$densify";

    /** As in MongoDB, where a parameter sets it. */
    private static final int DOCUMENTS_MAX = 500_000;

    private static final int PARTITION_BYTES = 96;

    /** From where to where values are generated. */
    sealed interface Bounds {
        /** From the least to the greatest value of all partitions. */
        record Full() implements Bounds {}

        /** From the least to the greatest value of each partition. */
        record Partition() implements Bounds {}

        /** From the lower bound to just before the upper one. */
        record Explicit(Value lower, Value upper) implements Bounds {}
    }

    /**
     * The distance of two values.
     *
     * @param unit of dates; null for numbers
     */
    record Steps(Value step, @Nullable TimeUnit unit) {
        Value after(Value value) {
            return unit != null && value instanceof Value.Date(long millis)
                    ? new Value.Date(unit.plus(millis, Numbers.saturatedLong(step)))
                    : Arithmetic.sum(value, step);
        }

        void check(Value value) {
            if (!(value instanceof Value.Date) && !Numbers.isNumber(value)) {
                throw new CommandException(ErrorCode.location(5733201), "Densify field type must be numeric or a date");
            }
            if (unit != null && !(value instanceof Value.Date)) {
                throw new CommandException(
                        ErrorCode.location(6053600),
                        "Encountered numeric densify value in collection when step has a date unit.");
            }
            if (unit == null && value instanceof Value.Date) {
                throw new CommandException(
                        ErrorCode.location(6053600),
                        "Encountered date densify value in collection when step does not have a date unit.");
            }
        }
    }

    @Override
    public Source open(Source in, Execution execution) {
        return new Densified(in, execution);
    }

    @Override
    public boolean collectFields(FieldSet into) {
        into.add(field.first());
        partitionBy.forEach(path -> into.add(path.first()));
        return false;
    }

    /** One of those that have been seen: the fields they have in common, and the next value on their grid. */
    private static final class Partition {
        final RawDocument fields;

        @Nullable
        Value next;

        Partition(RawDocument fields) {
            this.fields = fields;
        }
    }

    private final class Densified implements Source {
        private final Source in;
        private final Execution execution;
        private final MemoryBudget budget;
        private final KeyTable keys;
        private final List<Partition> partitions = new ArrayList<>();

        /** What is being generated: values of a partition before a limit, and then a document. */
        private @Nullable Partition generating;

        private @Nullable Value limit;
        private boolean limitIncluded;
        private @Nullable RawDocument following;

        private @Nullable Value least;
        private @Nullable Value greatest;
        private int generated;
        private final ArrayDeque<Partition> unfinished = new ArrayDeque<>();
        private boolean ended;

        Densified(Source in, Execution execution) {
            this.in = in;
            this.execution = execution;
            this.budget = execution.budget(NAME);
            this.keys = new KeyTable(budget, Collation.SIMPLE);
        }

        @Override
        public @Nullable RawDocument next() {
            execution.environment().checkpoint();
            while (true) {
                RawDocument next = generated();
                if (next != null) {
                    return next;
                }
                if (!ended) {
                    RawDocument document = in.next();
                    if (document == null) {
                        end();
                    } else if (take(document)) {
                        return document;
                    }
                } else if (!unfinished.isEmpty()) {
                    finish(unfinished.remove());
                } else {
                    return null;
                }
            }
        }

        /** Whether the document comes next; otherwise something is generated before it. */
        private boolean take(RawDocument document) {
            Value value = Nested.get(document, field);
            if (value == null || Held.isNullish(value)) {
                return true;
            }
            steps.check(value);
            Partition partition = partition(document);
            Value following = partition.next;
            switch (bounds) {
                case Bounds.Full() -> {
                    least = least == null ? value : least;
                    greatest = value;
                    following = following == null ? least : following;
                }
                case Bounds.Partition() -> following = following == null ? value : following;
                case Bounds.Explicit(Value lower, Value upper) -> {
                    if (ValueOrder.compare(value, lower) < 0) {
                        return true;
                    }
                    following = following == null ? lower : following;
                }
            }
            partition.next = following;
            generate(partition, value, false, document);
            return false;
        }

        private Partition partition(RawDocument document) {
            RawDocument fields = RawDocument.EMPTY;
            for (DottedPath path : partitionBy) {
                Value value = Nested.get(document, path);
                if (value != null) {
                    fields = Nested.set(fields, path, value);
                }
            }
            int known = keys.size();
            int number = keys.number(Value.of(fields));
            if (number == known) {
                Nested.checkSettable(fields, field);
                budget.charge(fields.length() + PARTITION_BYTES);
                partitions.add(new Partition(fields.detached()));
            }
            return partitions.get(number);
        }

        private void generate(Partition partition, Value before, boolean included, @Nullable RawDocument document) {
            generating = partition;
            limit = bounds instanceof Bounds.Explicit(Value lower, Value upper) && ValueOrder.compare(upper, before) < 0
                    ? upper
                    : before;
            limitIncluded = included;
            following = document;
        }

        private @Nullable RawDocument generated() {
            Partition partition = generating;
            Value next = partition == null ? null : partition.next;
            if (partition == null || next == null || limit == null) {
                return null;
            }
            int order = ValueOrder.compare(next, limit);
            if (order < 0 || (order == 0 && limitIncluded)) {
                partition.next = steps.after(next);
                if (++generated > DOCUMENTS_MAX) {
                    throw new CommandException(
                            ErrorCode.location(5897900),
                            "Generated %d documents in $densify, which is over the limit of %d. Increase the"
                                + " 'internalQueryMaxAllowedDensifyDocs' parameter to allow more generated documents",
                            generated,
                            DOCUMENTS_MAX);
                }
                return Nested.set(partition.fields, field, next);
            }
            RawDocument document = following;
            if (document != null && order == 0 && ValueOrder.equal(next, Nested.get(document, field))) {
                partition.next = steps.after(next);
            }
            generating = null;
            following = null;
            return document;
        }

        private void end() {
            ended = true;
            switch (bounds) {
                case Bounds.Full() -> {
                    if (!partitionBy.isEmpty()) {
                        unfinished.addAll(partitions);
                    }
                }
                case Bounds.Partition() -> {}
                case Bounds.Explicit ignored -> {
                    if (partitionBy.isEmpty() && partitions.isEmpty()) {
                        partitions.add(new Partition(RawDocument.EMPTY));
                    }
                    unfinished.addAll(partitions);
                }
            }
        }

        /** What a partition has less than others, or than the bounds want. */
        private void finish(Partition partition) {
            switch (bounds) {
                case Bounds.Full() -> {
                    if (greatest != null) {
                        generate(partition, greatest, true, null);
                    }
                }
                case Bounds.Partition() -> {}
                case Bounds.Explicit(Value lower, Value upper) -> {
                    if (partition.next == null) {
                        partition.next = lower;
                    }
                    generate(partition, upper, false, null);
                }
            }
        }

        @Override
        public void close() {
            in.close();
            ended = true;
            generating = null;
            unfinished.clear();
        }
    }
}
