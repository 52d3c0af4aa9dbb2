package dev.semel.query.filter;

import dev.semel.query.filter.JsonSchema.Rule;
import java.util.Comparator;
import java.util.List;

/** The order in which MongoDB explains the rules of a schema, whatever the order in which they are written. */
final class RuleOrder {
    private static final int COMBINED = 13;
    private static final int VALUES = COMBINED + Combination.values().length;

    private RuleOrder() {}

    static List<Rule> of(JsonSchema schema) {
        return schema.rules().stream()
                .sorted(Comparator.comparingInt(RuleOrder::position))
                .toList();
    }

    private static int position(Rule rule) {
        return switch (rule) {
            case Rule.MatchesPattern ignored -> 0;
            case Rule.Length ignored -> 1;
            case Rule.MultipleOf ignored -> 2;
            case Rule.Bound bound -> bound.isMaximum() ? 3 : 4;
            case Rule.ItemCount ignored -> 5;
            case Rule.UniqueItems ignored -> 6;
            case Rule.Items ignored -> 7;
            case Rule.Encrypted ignored -> 8;
            case Rule.Properties ignored -> 9;
            case Rule.Required ignored -> 10;
            case Rule.FieldCount ignored -> 11;
            case Rule.Dependency ignored -> 12;
            case Rule.Combined combined -> COMBINED + combined.combination().ordinal();
            case Rule.OneOfValues ignored -> VALUES;
            case Rule.OfType ignored -> VALUES + 1;
        };
    }
}
