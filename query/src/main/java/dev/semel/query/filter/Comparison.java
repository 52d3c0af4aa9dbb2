package dev.semel.query.filter;

/** How a value must stand to an operand. */
public enum Comparison {
    EQ("$eq"),
    LT("$lt"),
    LTE("$lte"),
    GT("$gt"),
    GTE("$gte");

    private final String operator;

    Comparison(String operator) {
        this.operator = operator;
    }

    /** As filters spell it. */
    public String operator() {
        return operator;
    }

    boolean allows(int order) {
        return switch (this) {
            case EQ -> order == 0;
            case LT -> order < 0;
            case LTE -> order <= 0;
            case GT -> order > 0;
            case GTE -> order >= 0;
        };
    }

    boolean allowsEqual() {
        return this == EQ || this == LTE || this == GTE;
    }
}
