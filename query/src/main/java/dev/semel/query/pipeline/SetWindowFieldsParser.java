package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Scope;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.pipeline.window.WindowFunction;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.SortOrder;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code $setWindowFields}: a sort by partition and within it, and the stage itself. A partition that is not just a
 * field is computed before and removed after.
 */
final class SetWindowFieldsParser {
    /** MongoDB's name for the value of an expression that documents are partitioned by. */
    private static final String PARTITION_KEY = "__internal_setWindowFields_partition_key";

    private SetWindowFieldsParser() {}

    static List<Stage> parse(Value specification, FilterScope filterScope) {
        IdlOptions options = IdlOptions.ofStage(
                SetWindowFields.NAME,
                specification,
                "the %s stage specification must be an object, found %s",
                Set.of("partitionBy", "sortBy", "output"));
        Scope scope = filterScope.variables();
        RawDocument sort = options.document("sortBy");
        RawDocument output = options.requiredDocument("output");
        Value partitionBy = options.value("partitionBy");
        Expression key = partitionBy == null ? null : Expressions.parse(partitionBy, scope);
        SortPattern sortBy = sort == null ? null : SortPattern.parse(sort, scope.collation());
        return stages(key, partitionBy, sortBy, output, scope);
    }

    private static List<Stage> stages(
            @Nullable Expression key,
            @Nullable Value written,
            @Nullable SortPattern sortBy,
            RawDocument output,
            Scope scope) {
        if (key instanceof Expression.Literal(Value constant)) {
            if (constant instanceof Value.Array) {
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "An expression used to partition cannot evaluate to value of type array");
            }
            key = null;
        }
        List<Stage> stages = new ArrayList<>();
        DottedPath path = null;
        boolean computed = false;
        if (key != null) {
            path = key instanceof Expression.Field && written instanceof Value.Str(Text text)
                    ? field(text.toString())
                    : null;
            computed = path == null;
            if (computed) {
                path = DottedPath.of(PARTITION_KEY);
                stages.add(new AddFields(ReshapeParser.computed(PARTITION_KEY, key)));
                key = Expressions.parse(Value.of("$" + PARTITION_KEY), scope);
            }
        }
        List<SortPattern.Part> parts = sorted(path, sortBy);
        if (!parts.isEmpty()) {
            stages.add(new Sort(new SortOrder(new SortPattern(parts, scope.collation())), Sort.UNLIMITED));
        }
        stages.add(stage(key, sortBy, output, scope));
        if (computed) {
            stages.add(new Project(ReshapeParser.exclude(List.of(PARTITION_KEY))));
        }
        return stages;
    }

    /** The path of a field that can be sorted by; null for the whole document or a field of a variable. */
    private static @Nullable DottedPath field(String reference) {
        return reference.startsWith("$$") ? null : DottedPath.of(reference.substring(1));
    }

    private static List<SortPattern.Part> sorted(@Nullable DottedPath partition, @Nullable SortPattern sortBy) {
        List<SortPattern.Part> parts = new ArrayList<>();
        if (partition != null) {
            parts.add(new SortPattern.Part(partition, true));
        }
        if (sortBy != null) {
            for (SortPattern.Part part : sortBy.parts()) {
                if (partition == null || !part.path().equals(partition)) {
                    parts.add(part);
                }
            }
        }
        return parts;
    }

    private static SetWindowFields stage(
            @Nullable Expression key, @Nullable SortPattern sortBy, RawDocument output, Scope scope) {
        Expression position = null;
        if (sortBy != null && sortBy.parts().size() == 1) {
            position =
                    Expressions.parse(Value.of("$" + sortBy.parts().getFirst().path()), scope);
        }
        WindowFunctionParser parser = new WindowFunctionParser(scope, sortBy, position);
        List<DottedPath> paths = new ArrayList<>();
        List<SetWindowFields.Output> outputs = new ArrayList<>();
        for (Element field : output) {
            DottedPath path = DottedPath.ofField(field.name());
            if (paths.stream().anyMatch(path::overlaps)) {
                throw new CommandException(
                        ErrorCode.location(6307900),
                        "$setWindowFields 'output' specification contains two conflicting paths");
            }
            paths.add(path);
            FieldSet read = new FieldSet();
            WindowFunction function = parser.parse(field, read);
            outputs.add(new SetWindowFields.Output(field.name(), function, read));
        }
        int firstSlot = scope.nextSlot();
        return new SetWindowFields(
                key,
                position,
                List.copyOf(outputs),
                ReshapeParser.variables(paths, firstSlot),
                firstSlot,
                scope.collation());
    }
}
