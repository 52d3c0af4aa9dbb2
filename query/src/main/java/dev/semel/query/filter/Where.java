package dev.semel.query.filter;

import dev.semel.query.expression.Environment;
import dev.semel.query.script.Scripts;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;

/** Reads {@code $where}. */
public final class Where {
    private Where() {}

    static Filter parse(Value value, Environment environment) {
        Text code = switch (value) {
            case Value.Str(Text text) -> text;
            case Value.Code(Text text) -> text;
            case Value.CodeWithScope ignored ->
                throw new CommandException(
                        ErrorCode.location(4649201), "$where no longer supports deprecated BSON type CodeWScope");
            default -> throw new CommandException(ErrorCode.BadValue, "$where got bad type");
        };
        if (!environment.isOfCommand()) {
            throw new CommandException(ErrorCode.BadValue, "$where is not allowed in this context");
        }
        if (!environment.runsScripts()) {
            throw new CommandException(ErrorCode.BadValue, "no globalScriptEngine in $where parsing");
        }
        Scripts scripts = environment.scripts();
        scripts.check(code.toString());
        return new Filter.Script(code.toString(), scripts);
    }

    /** Whether a filter contains one; for places that take filters without. */
    public static boolean isIn(Filter filter) {
        return switch (filter) {
            case Filter.And(var all) -> all.stream().anyMatch(Where::isIn);
            case Filter.Or(var any) -> any.stream().anyMatch(Where::isIn);
            case Filter.Nor(var none) -> none.stream().anyMatch(Where::isIn);
            case Filter.Not(Filter denied) -> isIn(denied);
            case Filter.Script ignored -> true;
            case Filter.Field ignored -> false;
            case Filter.Near ignored -> false;
            case Filter.Text ignored -> false;
            case Filter.Always ignored -> false;
            case Filter.Sample ignored -> false;
            case Filter.Expr ignored -> false;
            case Filter.Schema ignored -> false;
        };
    }
}
