package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans that take the documents which two indexes have in common, where a query asks for single values in both. What they are
 * worth a trial says: they win where many documents have each of the values and few have both, which are not spread evenly.
 */
final class Intersections {
    /** Of how many indexes, the ones with the most fields first, every two are tried. */
    private static final int INDEXES_MAX = 4;

    private Intersections() {}

    static List<Contender> contenders(Choice choice, Demand.Conjunction conjunction, List<Candidate> bounded) {
        if (bounded.size() < 2) {
            return List.of();
        }
        List<Candidate> suited = bounded.stream()
                .filter(Intersections::isSuited)
                .sorted(Comparator.comparing(Candidate::points, Comparator.reverseOrder()))
                .limit(INDEXES_MAX)
                .toList();
        List<Contender> contenders = new ArrayList<>();
        for (int i = 0; i < suited.size(); i++) {
            for (Candidate second : suited.subList(i + 1, suited.size())) {
                Candidate first = suited.get(i);
                if (eachSaysMore(first, second)) {
                    contenders.add(contender(choice, conjunction, first, second));
                }
            }
        }
        return contenders;
    }

    /** Whether its entries come in the order of their documents. */
    private static boolean isSuited(Candidate candidate) {
        Index index = candidate.index();
        return index.kind() == IndexKind.ORDERED
                && !index.isPrimary()
                && !index.hasDocuments()
                && candidate.bounds().fields().stream().allMatch(Intervals::isPoint);
    }

    private static boolean eachSaysMore(Candidate first, Candidate second) {
        Set<Filter> ofFirst = first.bounds().covered();
        Set<Filter> ofSecond = second.bounds().covered();
        return !ofFirst.containsAll(ofSecond) && !ofSecond.containsAll(ofFirst);
    }

    private static Contender contender(
            Choice choice, Demand.Conjunction conjunction, Candidate first, Candidate second) {
        Query query = choice.query();
        Set<Filter> covered = new HashSet<>(first.bounds().covered());
        covered.addAll(second.bounds().covered());
        List<Filter> rest = new ArrayList<>(conjunction.conjuncts());
        rest.removeAll(covered);
        Filter residual = new Demand.Conjunction(rest, List.of(), false).filter();
        boolean sorts = !query.sort().isEmpty();
        boolean keysOnly = query.keysOnly() && !sorts && residual.equals(Filters.ALL);
        List<Plan.IndexScan> scans = new ArrayList<>();
        for (Candidate each : List.of(first, second)) {
            scans.add(new Plan.IndexScan(
                    choice.collection(),
                    each.bounds(),
                    each.range(),
                    false,
                    Filters.ALL,
                    new Supply.Keys(),
                    0,
                    false,
                    choice.scene().memory()));
        }
        Plan found = new Plan.Intersection(choice.collection(), List.copyOf(scans), residual, keysOnly);
        Plan plan = Choice.finish(found, query, sorts, choice.scene().memory());
        return new Contender(first.id() + "&" + second.id(), plan, first.points() + second.points(), sorts, !keysOnly);
    }
}
