package dev.semel.server.plan;

import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import java.util.List;

/** Whether the keys of an index say which values a path has, so that of those with the same value one is enough. */
final class DistinctColumns {
    private DistinctColumns() {}

    /**
     * How many columns there are up to that of the path; 0 if it has none, or a scan must not pass over keys. Columns before
     * it have one value. If the path has arrays, a document may have several values of which only some are within bounds,
     * so there must be no bounds.
     */
    static int of(IndexBounds bounds, Query.Distinct wanted) {
        Index index = bounds.index();
        if (hasPosition(wanted.path())
                || index.isPrimary()
                || index.kind() != IndexKind.ORDERED
                || !index.collation().equals(wanted.collation())) {
            return 0;
        }
        List<Intervals> fields = bounds.fields();
        for (int field = 0; field < fields.size(); field++) {
            boolean hasArrays = bounds.steps()[field] != 0;
            if (bounds.columns().get(field).path().equals(wanted.path())) {
                return hasArrays && (wanted.whole() || !fields.get(field).isAll()) ? 0 : field + 1;
            }
            if (hasArrays || !fields.get(field).isPoint()) {
                return 0;
            }
        }
        return 0;
    }

    /** A number is a name for an index and may be a position in an array for a query. */
    private static boolean hasPosition(DottedPath path) {
        for (int part = 0; part < path.size(); part++) {
            if (path.index(part) >= 0) {
                return true;
            }
        }
        return false;
    }
}
