package dev.semel.driver.model.search;

import org.bson.Document;

/** Values between bounds, one of which is needed at least. */
public final class RangeSearchOperator<T> extends SearchOperator {
    RangeSearchOperator(Document fields) {
        super("range", fields);
    }

    public RangeSearchOperator<T> gt(T bound) {
        return new RangeSearchOperator<>(and("gt", bound));
    }

    public RangeSearchOperator<T> lt(T bound) {
        return new RangeSearchOperator<>(and("lt", bound));
    }

    public RangeSearchOperator<T> gte(T bound) {
        return new RangeSearchOperator<>(and("gte", bound));
    }

    public RangeSearchOperator<T> lte(T bound) {
        return new RangeSearchOperator<>(and("lte", bound));
    }

    public RangeSearchOperator<T> gtLt(T lower, T upper) {
        return gt(lower).lt(upper);
    }

    public RangeSearchOperator<T> gteLte(T lower, T upper) {
        return gte(lower).lte(upper);
    }

    public RangeSearchOperator<T> gtLte(T lower, T upper) {
        return gt(lower).lte(upper);
    }

    public RangeSearchOperator<T> gteLt(T lower, T upper) {
        return gte(lower).lt(upper);
    }

    @Override
    public RangeSearchOperator<T> score(SearchScore value) {
        return new RangeSearchOperator<>(and("score", value));
    }
}
