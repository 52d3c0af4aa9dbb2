package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Plans for an {@code $or} all of whose branches have an index: each branch is planned as a query with all else that is asked. */
final class Alternatives {
    private final Choice choice;
    private final Demand.Conjunction conjunction;
    private final List<Filter.Or> all = new ArrayList<>();

    Alternatives(Choice choice, Demand.Conjunction conjunction) {
        this.choice = choice;
        this.conjunction = conjunction;
        List<Filter> conjuncts = conjunction.conjuncts();
        for (Filter each : conjuncts.subList(choice.given(), conjuncts.size())) {
            if (each instanceof Filter.Or or) {
                all.add(or);
            }
        }
    }

    static boolean areIn(Demand.Conjunction conjunction) {
        for (Filter each : conjunction.conjuncts()) {
            if (each instanceof Filter.Or) {
                return true;
            }
        }
        return false;
    }

    /**
     * The plan for the first {@code $or} that has one; null if none has, or if its branches would use nothing but indexes that
     * answer the whole query.
     */
    @Nullable
    Contender contender(List<Candidate> others) {
        if (all.isEmpty()) {
            return null;
        }
        Query query = choice.query();
        Plan merge = query.sort().isEmpty() ? null : merge();
        Plan found = merge == null ? union(any -> true) : merge;
        if (found == null) {
            return null;
        }
        Set<Index> known = others.stream().map(Candidate::index).collect(Collectors.toSet());
        if (!known.isEmpty() && known.containsAll(found.indexes())) {
            return null;
        }
        boolean sorts = merge == null && !query.sort().isEmpty();
        Plan plan = Choice.finish(found, query, sorts, choice.scene().memory());
        return new Contender("$or", plan, 1, sorts, true);
    }

    /** What any branch finds, branch by branch. */
    @Nullable
    Plan union(Predicate<Filter> isMeant) {
        for (Filter.Or each : all) {
            if (isMeant.test(each)) {
                Plan union = union(each);
                if (union != null) {
                    return union;
                }
            }
        }
        return null;
    }

    private @Nullable Plan union(Filter.Or or) {
        List<Plan> plans = new ArrayList<>();
        for (Filter branch : or.any()) {
            choice.scene().interruption().check();
            Query alone = alone(or, branch).wantingTextScore(choice.query().needsTextScore());
            Plan plan;
            try (Decision decision = of(alone).decide()) {
                plan = decision.plan();
            }
            switch (plan) {
                case Plan.Nothing ignored -> {}
                case Plan.IndexScan scan -> plans.add(scan);
                case Plan.Search search -> plans.add(search);
                case Plan.ById byId -> plans.add(byId);
                case Plan.Union union -> plans.addAll(union.any());
                default -> {
                    return null;
                }
            }
        }
        return plans.isEmpty()
                ? new Plan.Nothing()
                : new Plan.Union(
                        choice.collection(), List.copyOf(plans), choice.scene().memory());
    }

    /** The branches together in the order wanted, if every one has an index with this order. */
    private @Nullable Plan merge() {
        for (Filter.Or each : all) {
            Plan merge = merge(each);
            if (merge != null) {
                return merge;
            }
        }
        return null;
    }

    private @Nullable Plan merge(Filter.Or or) {
        Query query = choice.query();
        List<Plan.IndexScan> scans = new ArrayList<>();
        for (Filter branch : or.any()) {
            choice.scene().interruption().check();
            List<Plan.IndexScan> more = inOrder(of(alone(or, branch).sorted(query.sort())));
            if (more == null || scans.size() + more.size() > ExplodedBounds.SCANS_MAX) {
                return null;
            }
            scans.addAll(more);
        }
        return scans.isEmpty()
                ? new Plan.Nothing()
                : new Plan.Merge(
                        choice.collection(),
                        List.copyOf(scans),
                        query.sort(),
                        true,
                        choice.scene().memory());
    }

    /** The scans of the index with the order wanted whose bounds say most; null if there is none. */
    private static @Nullable List<Plan.IndexScan> inOrder(Choice branch) {
        Demand.Conjunction conjunction = Demand.conjunction(branch.query().filter());
        if (conjunction.isImpossible()) {
            return List.of();
        }
        List<Candidate> candidates = branch.candidates(conjunction);
        if (candidates == null) {
            return List.of();
        }
        Candidate best = null;
        for (Candidate each : candidates) {
            boolean usable = each.bounds().boundedPrefix() > 0 && each.direction() != 0;
            if (usable && (best == null || each.points() > best.points())) {
                best = each;
            }
        }
        return best == null
                ? null
                : best.scans(branch.collection(), branch.scene().memory());
    }

    private Choice of(Query branch) {
        int around = conjunction.conjuncts().size() - 1;
        return new Choice(choice.collection(), choice.indexes(), branch, around, choice.scene());
    }

    /** One of the branches with all else that is asked. */
    private Query alone(Filter or, Filter branch) {
        List<Filter> together = new ArrayList<>(conjunction.conjuncts());
        together.remove(or);
        together.add(branch);
        return Query.of(new Filter.And(List.copyOf(together)));
    }
}
