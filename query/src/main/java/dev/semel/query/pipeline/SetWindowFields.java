package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.pipeline.window.Partition;
import dev.semel.query.pipeline.window.WindowFunction;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Held;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $setWindowFields}: to each document fields that are computed from documents around it. The documents come sorted by
 * partition and within it: the parser puts a {@link Sort} before this stage.
 *
 * @param partitionBy null if all documents are one partition
 * @param position the field that a partition is sorted by, if it is just one
 * @param reshape puts the values in, which are the variables from {@code firstSlot} on
 */
public record SetWindowFields(
        @Nullable Expression partitionBy,
        @Nullable Expression position,
        List<Output> outputs,
        Reshape reshape,
        int firstSlot,
        Collation collation)
        implements Stage {
    static final String NAME = "$setWindowFields";

    /** What a function takes beside the values that it holds. */
    private static final int FUNCTION_BYTES = 64;

    /**
     * A field of the result.
     *
     * @param name the path of the field
     * @param read what the function reads of each document
     */
    record Output(String name, WindowFunction function, FieldSet read) {}

    @Override
    public Source open(Source in, Execution execution) {
        return new Windowed(in, execution);
    }

    @Override
    public boolean collectFields(FieldSet into) {
        if (partitionBy != null) {
            Expressions.collectFields(partitionBy, into);
        }
        if (position != null) {
            Expressions.collectFields(position, into);
        }
        outputs.forEach(output -> into.addAll(output.read()));
        reshape.collectFields(into);
        return false;
    }

    private final class Windowed implements Source {
        private final Source in;
        private final Environment environment;
        private final MemoryBudget budget;
        private final List<MemoryBudget> functionMemory;

        /** The first document of the next partition, if it has been read, and its key. */
        private @Nullable RawDocument ahead;

        private Value key = Value.NULL;
        private @Nullable Partition partition;
        private List<WindowFunction.Run> runs = List.of();
        private long current;

        Windowed(Source in, Execution execution) {
            this.in = in;
            this.environment = execution.environment();
            this.budget = execution.spillingBudget(NAME);
            this.functionMemory =
                    outputs.stream().map(each -> budget.fixedPart(each.name())).toList();
        }

        @Override
        public @Nullable RawDocument next() {
            Partition documents = partition;
            while (documents == null || !documents.has(current)) {
                documents = nextPartition();
                if (documents == null) {
                    return null;
                }
            }
            RawDocument result = result(documents);
            current++;
            long needed = current;
            for (WindowFunction.Run run : runs) {
                needed = Math.min(needed, run.needed());
            }
            documents.forgetBefore(needed);
            return result;
        }

        private RawDocument result(Partition documents) {
            long mark = environment.mark();
            try {
                for (int i = 0; i < runs.size(); i++) {
                    documents.countFor(functionMemory.get(i));
                    environment.bind(firstSlot + i, runs.get(i).value(current));
                }
                return reshape.apply(documents.document(current), environment);
            } finally {
                for (int i = 0; i < runs.size(); i++) {
                    environment.bind(firstSlot + i, null);
                }
                environment.release(mark);
            }
        }

        private @Nullable Partition nextPartition() {
            closePartition();
            if (ahead == null) {
                ahead = in.next();
            }
            if (ahead == null) {
                return null;
            }
            key = key(ahead);
            budget.charge(Held.bytes(key));
            Partition next = new Partition(this::nextOfPartition, position, environment, budget);
            partition = next;
            runs = new ArrayList<>();
            for (int i = 0; i < outputs.size(); i++) {
                functionMemory.get(i).charge(FUNCTION_BYTES);
                next.countFor(functionMemory.get(i));
                runs.add(outputs.get(i).function().start(next));
            }
            current = 0;
            return next;
        }

        private void closePartition() {
            Partition open = partition;
            if (open != null) {
                open.close();
                partition = null;
            }
            runs = List.of();
            budget.releaseAll();
        }

        private @Nullable RawDocument nextOfPartition() {
            RawDocument next = ahead;
            if (next != null) {
                ahead = null;
                return next;
            }
            next = in.next();
            if (next == null || partitionBy == null || collation.equal(key, key(next))) {
                return next;
            }
            ahead = next;
            return null;
        }

        private Value key(RawDocument document) {
            Value value = partitionBy == null ? null : Expressions.evaluate(partitionBy, environment, document);
            if (value instanceof Value.Array) {
                throw new CommandException(ErrorCode.TypeMismatch, "Cannot 'partitionBy' an expression of type array");
            }
            // Sorted together, null and missing are one partition.
            return value == null ? Value.NULL : Held.copy(value);
        }

        @Override
        public void close() {
            in.close();
            ahead = null;
            closePartition();
        }
    }
}
