package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldPath;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Pausable;
import dev.semel.query.value.Collation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code $group}: a document per distinct {@code _id}, in the order of first appearance, or of the {@code _id} if the groups
 * were too many for the memory. Where the {@code _id} or an
 * argument is just a top-level field, its bytes are looked at where they stand and no value is made of them.
 */
public record Group(Expression id, List<Field> fields, Collation collation) implements Stage {
    /** A field of the result and what it gathers. */
    public record Field(String name, Gathering gathering) {}

    @Override
    public Source open(Source in, Execution execution) {
        return new Grouped(in, execution);
    }

    @Override
    public boolean collectFields(FieldSet into) {
        Expressions.collectFields(id, into);
        fields.forEach(field -> field.gathering().collectFields(into));
        return true;
    }

    /** The field that it groups by; null if it is something else. */
    public @Nullable FieldPath path() {
        return id instanceof Expression.Field(FieldPath path) ? path : null;
    }

    /** Whether the first document of each group makes its result. */
    public boolean takesOnlyFirst() {
        return fields.stream().allMatch(each -> each.gathering().name().equals(Accumulators.FIRST));
    }

    /** Whether the last one does. */
    public boolean takesOnlyLast() {
        return fields.stream().allMatch(each -> each.gathering().name().equals(Accumulators.LAST));
    }

    Accumulator[] start(Value key, MemoryBudget budget, Environment environment) {
        Accumulator[] state = new Accumulator[fields.size()];
        for (int i = 0; i < state.length; i++) {
            Field field = fields.get(i);
            state[i] = field.gathering().start(budget.part(field.name()), environment, key, collation);
        }
        return state;
    }

    RawDocument result(Value key, Accumulator[] state) {
        BsonWriter writer = new BsonWriter(128).put("_id", key);
        for (int i = 0; i < state.length; i++) {
            writer.put(fields.get(i).name(), state[i].result());
        }
        return writer.finish();
    }

    private final class Grouped implements Source, Pausable {
        private final Source in;
        private final Environment environment;
        private final MemoryBudget budget;
        private final FieldLocator locator;
        private final int idField;
        private final int[] argumentFields;
        private final @Nullable SpilledGroups spilled;
        private KeyTable table;
        private Accumulator[][] states = new Accumulator[32][];
        private boolean read;
        private int results;

        Grouped(Source in, Execution execution) {
            this.in = in;
            this.environment = execution.environment();
            this.budget = execution.spillingBudget("$group");
            fields.forEach(each -> budget.part(each.name()));
            this.table = new KeyTable(budget, collation);
            this.spilled = budget.disk() == null
                    ? null
                    : new SpilledGroups(Group.this, budget, execution.spillingBudget("$group"), environment);
            List<byte[]> names = new ArrayList<>();
            this.idField = topLevel(id, names);
            this.argumentFields = fields.stream()
                    .mapToInt(field -> topLevel(field.gathering().argument(), names))
                    .toArray();
            this.locator = new FieldLocator(names);
            environment.opened(this);
        }

        /** The expression's place among the fields that are located, or -1 if it must be evaluated. */
        private static int topLevel(Expression expression, List<byte[]> names) {
            if (!(expression instanceof Expression.Field(var path)) || path == null || path.length() != 1) {
                return -1;
            }
            for (int i = 0; i < names.size(); i++) {
                if (Arrays.equals(names.get(i), path.utf8(0))) {
                    return i;
                }
            }
            names.add(path.utf8(0));
            return names.size() - 1;
        }

        @Override
        public @Nullable RawDocument next() {
            if (!read) {
                read = true;
                for (RawDocument document = in.next(); document != null; document = in.next()) {
                    environment.checkpoint();
                    add(document);
                    if (budget.isFull()) {
                        spill();
                    }
                }
                if (isSpilled()) {
                    spill();
                }
            }
            if (spilled != null && isSpilled()) {
                return spilled.next();
            }
            return results < table.size() ? result(table.value(results), states[results++]) : null;
        }

        private boolean isSpilled() {
            return spilled != null && !spilled.isEmpty();
        }

        /** Writes all groups, and begins with none. */
        private void spill() {
            if (spilled == null || table.size() == 0) {
                return;
            }
            spilled.add(table, 0, states);
            forget();
        }

        /** The groups that follow go to disk if others may need the memory. */
        @Override
        public void pause() {
            if (spilled != null && read && !isSpilled() && results < table.size() && budget.isWantedByOthers()) {
                spilled.add(table, results, states);
                forget();
            }
        }

        private void forget() {
            budget.releaseAll();
            table = new KeyTable(budget, collation);
            states = new Accumulator[32][];
        }

        private void add(RawDocument document) {
            locator.locate(document);
            int known = table.size();
            int group = group(document);
            if (group == known) {
                start(group);
            }
            Accumulator[] state = states[group];
            for (int i = 0; i < state.length; i++) {
                int field = argumentFields[i];
                if (field >= 0) {
                    state[i].add(locator.type(field), locator.position(field), document);
                } else {
                    Expression argument = fields.get(i).gathering().argument();
                    state[i].add(Expressions.evaluate(argument, environment, document), document);
                }
            }
        }

        private int group(RawDocument document) {
            if (idField < 0) {
                Value value = Expressions.evaluate(id, environment, document);
                return value == null ? table.numberOfNull() : table.number(value);
            }
            byte type = locator.type(idField);
            return type == FieldLocator.MISSING
                    ? table.numberOfNull()
                    : table.number(type, document.array(), locator.position(idField));
        }

        private void start(int group) {
            if (group == states.length) {
                states = Arrays.copyOf(states, group * 2);
            }
            states[group] = Group.this.start(table.value(group), budget, environment);
        }

        @Override
        public void close() {
            in.close();
            environment.closed(this);
            read = true;
            results = table.size();
            if (spilled != null) {
                spilled.close();
            }
        }
    }
}
