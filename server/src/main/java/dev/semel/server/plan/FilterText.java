package dev.semel.server.plan;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.text.TextSearch;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.List;

/** A parsed filter as a document again, with every operator spelled out, as {@code explain} shows it. */
final class FilterText {
    private FilterText() {}

    static RawDocument of(Filter filter) {
        BsonWriter out = new BsonWriter();
        write(filter, out);
        return out.finish();
    }

    private static void write(Filter filter, BsonWriter out) {
        switch (filter) {
            case Filter.And(List<Filter> all) -> list("$and", all, out);
            case Filter.Or(List<Filter> any) -> list("$or", any, out);
            case Filter.Nor(List<Filter> none) -> list("$nor", none, out);
            case Filter.Not(Filter.Field(var path, Condition condition)) -> {
                out.startDocument(path.toString()).startDocument("$not");
                write(condition, out);
                out.end().end();
            }
            case Filter.Not(Filter inner) -> list("$nor", List.of(inner), out);
            case Filter.Field(var path, Condition condition) -> {
                out.startDocument(path.toString());
                write(condition, out);
                out.end();
            }
            case Filter.Near(var path, var query) -> out.put(path.toString(), query.given());
            case Filter.Text(TextSearch search) ->
                out.startDocument("$text")
                        .put("$search", search.search())
                        .put("$language", search.language() == null ? "" : search.language())
                        .put("$caseSensitive", search.isCaseSensitive())
                        .put("$diacriticSensitive", search.isDiacriticSensitive())
                        .end();
            case Filter.Always(boolean answer) -> {
                if (!answer) {
                    out.put("$alwaysFalse", 1);
                }
            }
            case Filter.Sample(double rate, var ignored) -> out.put("$sampleRate", rate);
            case Filter.Script(String code, var ignored) -> out.put("$where", new Value.Code(Text.of(code)));
            case Filter.Expr(var expression, var ignored) -> out.put("$expr", expression.toString());
            case Filter.Schema(var schema) -> out.put("$jsonSchema", schema.toString());
        }
    }

    private static void list(String operator, List<Filter> filters, BsonWriter out) {
        out.startArray(operator);
        for (Filter each : filters) {
            out.add(of(each));
        }
        out.end();
    }

    private static void write(Condition condition, BsonWriter out) {
        switch (condition) {
            case Condition.Compare compare -> out.put(compare.comparison().operator(), compare.value());
            case Condition.In in -> {
                out.startArray("$in");
                in.values().forEach(out::add);
                in.patterns().forEach(each -> out.add(new Value.Regex(each.pattern(), each.options())));
                out.end();
            }
            case Condition.Exists ignored -> out.put("$exists", true);
            case Condition.Type type -> {
                out.startArray("$type");
                type.types().stream().map(BsonType::code).sorted().forEach(code -> out.add(Value.of(code)));
                out.end();
            }
            case Condition.Size(long size) -> out.put("$size", size);
            case Condition.Mod(long divisor, long remainder) ->
                out.startArray("$mod")
                        .add(Value.of(divisor))
                        .add(Value.of(remainder))
                        .end();
            case Condition.Bits(var mask, Condition.Bits.Wanted wanted) -> {
                out.startArray(operator(wanted));
                mask.positions().stream().forEach(each -> out.add(Value.of(each)));
                out.end();
            }
            case Condition.Regex(var pattern) -> {
                out.put("$regex", pattern.pattern());
                if (!pattern.options().isEmpty()) {
                    out.put("$options", pattern.options());
                }
            }
            case Condition.Geo(var predicate) ->
                out.put(predicate.given().name(), predicate.given().value());
            case Condition.ElemMatchValue(Condition inner) -> {
                out.startDocument("$elemMatch");
                write(inner, out);
                out.end();
            }
            case Condition.ElemMatchDocument(Filter inner) -> out.put("$elemMatch", of(inner));
            case Condition.All(List<Condition> all) -> all.forEach(each -> write(each, out));
            case Condition.Not(Condition inner) -> {
                out.startDocument("$not");
                write(inner, out);
                out.end();
            }
        }
    }

    private static String operator(Condition.Bits.Wanted wanted) {
        return switch (wanted) {
            case ALL_SET -> "$bitsAllSet";
            case ALL_CLEAR -> "$bitsAllClear";
            case ANY_SET -> "$bitsAnySet";
            case ANY_CLEAR -> "$bitsAnyClear";
        };
    }
}
