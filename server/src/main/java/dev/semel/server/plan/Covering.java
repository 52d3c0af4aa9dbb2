package dev.semel.server.plan;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.pipeline.FilterFields;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether the entries of an index have all that is asked of documents, so that these need not be looked at. */
final class Covering {
    private Covering() {}

    /**
     * All fields that a plan and its caller look at; null for whole documents.
     *
     * @param residual what is asked of each document
     * @param sorts whether they are sorted afterwards
     */
    static @Nullable Set<String> fields(Query query, Filter residual, boolean sorts) {
        Set<String> needed = query.needed();
        if (needed == null) {
            return null;
        }
        FieldSet asked = new FieldSet();
        if (!residual.equals(Filters.ALL)) {
            FilterFields.collect(residual, asked);
        }
        if (asked.isWhole()
                || !asked.metadata().isEmpty()
                || !query.sort().metadata().isEmpty()) {
            return null;
        }
        Set<String> all = new LinkedHashSet<>(needed);
        all.addAll(asked.names());
        if (sorts) {
            query.sort().parts().forEach(each -> all.add(each.path().first()));
        }
        return all;
    }

    /** What a sort has to hold of a document; null for all of it, or if there is no more than that anyway. */
    static @Nullable Set<String> keptBySort(Plan found, Query query) {
        boolean isCovered = found instanceof Plan.IndexScan scan && scan.isCovered();
        return isCovered ? null : fields(query, Filters.ALL, true);
    }

    /** An array is spread over several entries, none of which has all of it. */
    static boolean isPossible(IndexBounds bounds, Set<String> fields) {
        Index index = bounds.index();
        if (index.isPrimary() || index.hasDocuments() || !isOrdered(index)) {
            return false;
        }
        if (fields.isEmpty()) {
            return true;
        }
        for (long steps : bounds.steps()) {
            if (steps != 0) {
                return false;
            }
        }
        return fields.stream().allMatch(index::shows);
    }

    private static boolean isOrdered(Index index) {
        for (KeyColumn column : index.columns()) {
            if (column.kind() != IndexKind.ORDERED) {
                return false;
            }
        }
        return true;
    }
}
