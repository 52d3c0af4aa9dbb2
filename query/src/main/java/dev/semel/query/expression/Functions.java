package dev.semel.query.expression;

import static dev.semel.query.expression.Form.exactly;
import static dev.semel.query.expression.Form.variadic;
import static java.util.Map.entry;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Map;

/** Every name of an expression: what is computed where, A to Z. To add a function, write it and enter it here. */
final class Functions {
    private static final Map<String, Form> FORMS = Map.ofEntries(
            entry("$abs", exactly(1, Arithmetic::abs)),
            entry("$add", variadic(Arithmetic::add)),
            entry("$and", Forms::and),
            entry("$bitAnd", variadic(Bits::and)),
            entry("$bitNot", exactly(1, Bits::not)),
            entry("$bitOr", variadic(Bits::or)),
            entry("$bitXor", variadic(Bits::xor)),
            entry("$ceil", exactly(1, Arithmetic::ceil)),
            entry("$cmp", exactly(2, Comparison::cmp)),
            entry("$cond", Forms::cond),
            entry("$const", Forms::literal),
            entry("$divide", exactly(2, Arithmetic::divide)),
            entry("$eq", exactly(2, Comparison::eq)),
            entry("$filter", Forms::filter),
            entry("$floor", exactly(1, Arithmetic::floor)),
            entry("$gt", exactly(2, Comparison::gt)),
            entry("$gte", exactly(2, Comparison::gte)),
            entry("$ifNull", Forms::ifNull),
            entry("$isArray", exactly(1, Types::isArray)),
            entry("$isNumber", exactly(1, Types::isNumber)),
            entry("$let", Forms::let),
            entry("$literal", Forms::literal),
            entry("$lt", exactly(2, Comparison::lt)),
            entry("$lte", exactly(2, Comparison::lte)),
            entry("$map", Forms::map),
            entry("$mod", exactly(2, Arithmetic::mod)),
            entry("$multiply", variadic(Arithmetic::multiply)),
            entry("$ne", exactly(2, Comparison::ne)),
            entry("$not", exactly(1, Comparison::not)),
            entry("$or", Forms::or),
            entry("$rand", Forms::rand),
            entry("$reduce", Forms::reduce),
            entry("$round", Form.between(1, 2, Arithmetic::round)),
            entry("$subtract", exactly(2, Arithmetic::subtract)),
            entry("$switch", Forms::switchOver),
            entry("$trunc", Form.between(1, 2, Arithmetic::trunc)),
            entry("$type", exactly(1, Types::type)));

    private Functions() {}

    static Form form(String name) {
        Form form = FORMS.get(name);
        if (form == null) {
            throw new CommandException(ErrorCode.InvalidPipelineOperator, "Unrecognized expression '%s'", name);
        }
        return form;
    }
}
