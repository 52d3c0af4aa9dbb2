package dev.semel.driver.model.search;

import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/** Several operators together. */
public final class CompoundSearchOperator extends SearchOperator {
    CompoundSearchOperator(Document fields) {
        super("compound", fields);
    }

    public CompoundSearchOperator must(Iterable<? extends SearchOperator> clauses) {
        return with("must", clauses);
    }

    public CompoundSearchOperator mustNot(Iterable<? extends SearchOperator> clauses) {
        return with("mustNot", clauses);
    }

    public CompoundSearchOperator should(Iterable<? extends SearchOperator> clauses) {
        return with("should", clauses);
    }

    /** They must match and do not count. */
    public CompoundSearchOperator filter(Iterable<? extends SearchOperator> clauses) {
        return with("filter", clauses);
    }

    /** Of the clauses that should match, how many must. */
    public CompoundSearchOperator minimumShouldMatch(int number) {
        return new CompoundSearchOperator(and("minimumShouldMatch", number));
    }

    private CompoundSearchOperator with(String rule, Iterable<? extends SearchOperator> clauses) {
        List<SearchOperator> all = new ArrayList<>();
        clauses.forEach(all::add);
        return new CompoundSearchOperator(and(rule, all));
    }

    @Override
    public CompoundSearchOperator score(SearchScore value) {
        return new CompoundSearchOperator(and("score", value));
    }
}
