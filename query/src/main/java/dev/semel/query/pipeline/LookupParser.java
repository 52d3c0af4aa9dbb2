package dev.semel.query.pipeline;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.Scope;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code $lookup}. */
final class LookupParser {
    private final Map<String, String> names = new HashMap<>();
    private @Nullable List<RawDocument> pipeline;
    private @Nullable RawDocument let;

    private LookupParser() {}

    static Stage parse(String name, Value specification, FilterScope scope, Others others) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw wrong(
                    "the $lookup stage specification must be an object, but found %s",
                    specification.type().alias());
        }
        LookupParser parser = new LookupParser();
        options.forEach(parser::option);
        return parser.stage(scope, others);
    }

    private void option(Element option) {
        switch (option.name()) {
            case "pipeline" -> pipeline = Foreign.pipeline("$lookup", option.value());
            case "let" -> {
                if (!(option.value() instanceof Value.Doc(RawDocument variables))) {
                    throw wrong(
                            "$lookup argument 'let: %s' must be an object, is type %s",
                            Shell.text(option.value()), option.value().type().alias());
                }
                let = variables;
            }
            case "from", "as", "localField", "foreignField" -> {
                if (!(option.value() instanceof Value.Str(Text text))) {
                    throw wrong(
                            "$lookup argument '%s: %s' must be a string, is type %s",
                            option.name(),
                            Shell.text(option.value()),
                            option.value().type().alias());
                }
                names.put(option.name(), text.toString());
            }
            default -> throw wrong("unknown argument to $lookup: %s", option.name());
        }
    }

    private Stage stage(FilterScope scope, Others others) {
        String as = names.get("as");
        String from = names.get("from");
        String local = names.get("localField");
        String foreign = names.get("foreignField");
        if (as == null) {
            throw wrong("must specify 'as' field for a $lookup");
        }
        if (from == null && (pipeline == null || !Foreign.bringsDocuments(pipeline))) {
            throw wrong("must specify 'from' field for a $lookup");
        }
        if ((local == null) != (foreign == null)) {
            throw wrong("$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
        }
        if (pipeline == null && let != null) {
            throw wrong("$lookup with a 'let' argument must also specify 'pipeline'");
        }
        if (pipeline == null && local == null) {
            throw wrong("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
        }
        Lookup.On on = local == null || foreign == null
                ? null
                : new Lookup.On(
                        DottedPath.ofField(local), DottedPath.ofField(foreign).toString());
        List<RawDocument> stages = pipeline == null ? List.of() : pipeline;
        Subpipelines.refuseWrites(stages, "$lookup", 51047);
        return stage(DottedPath.ofField(as), from, on, stages, scope, others);
    }

    private Stage stage(
            DottedPath as,
            @Nullable String from,
            Lookup.@Nullable On on,
            List<RawDocument> stages,
            FilterScope scope,
            Others others) {
        List<String> variables = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        if (let != null) {
            for (Element variable : let) {
                Scope.checkUserName(variable.name());
                variables.add(variable.name());
                values.add(Expressions.parse(variable.value(), scope.variables()));
            }
        }
        int firstSlot = scope.variables().nextSlot();
        FilterScope inner = scope.with(scope.variables().bind(variables));
        return new Lookup(as, Foreign.of(from, stages, scope, inner, others), on, List.copyOf(values), firstSlot, null);
    }

    private static CommandException wrong(String message, Object... arguments) {
        return new CommandException(ErrorCode.FailedToParse, message, arguments);
    }
}
