package dev.semel.server.commands;

import dev.semel.query.expression.FieldPath;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.geo.Locations;
import dev.semel.query.pipeline.GeoNear;
import dev.semel.query.pipeline.Group;
import dev.semel.query.pipeline.Limit;
import dev.semel.query.pipeline.Match;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Skip;
import dev.semel.query.pipeline.Sort;
import dev.semel.query.pipeline.Stage;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.SortOrder;
import dev.semel.server.plan.Query;
import dev.semel.server.plan.Run;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A pipeline in two parts: what its first stages ask of the collection, which an index may answer, and the rest. */
record PushedDown(Query query, Pipeline rest, Function<Run, RawDocument> shape) {
    private static final Set<String> KEPT_BY_SORTS =
            Set.of(Metadata.INDEX_KEY, Metadata.RECORD_ID, Metadata.TEXT_SCORE);

    static PushedDown of(Pipeline pipeline, @Nullable Value hint, boolean allowDiskUse) {
        List<Stage> stages = pipeline.stages();
        int taken = 0;
        Query query = Query.of(Filters.ALL);
        GeoNear nearest = null;
        if (taken < stages.size() && stages.get(taken) instanceof GeoNear first) {
            nearest = first;
            query = query.nearest(first);
            taken++;
        } else if (taken < stages.size() && stages.get(taken) instanceof Match(Filter filter)) {
            query = Query.of(filter);
            taken++;
        }
        boolean isCut = false;
        // A planner's sort keeps no metadata beside what can be found out of the document again, and knows no distance
        // field.
        boolean isSortable = nearest == null && KEPT_BY_SORTS.containsAll(pipeline.metadata());
        if (isSortable && taken < stages.size() && stages.get(taken) instanceof Sort(SortOrder order, long limit)) {
            query = query.sorted(order.pattern());
            isCut = limit != Sort.UNLIMITED;
            query = isCut ? query.window(0, limit) : query;
            taken++;
        }
        if (!isCut) {
            long skip = 0;
            if (taken < stages.size() && stages.get(taken) instanceof Skip(long count)) {
                skip = count;
                taken++;
            }
            long limit = 0;
            if (taken < stages.size() && stages.get(taken) instanceof Limit(long count)) {
                limit = count;
                taken++;
            }
            query = query.window(skip, limit);
        }
        if (query.skip() == 0 && query.limit() == 0 && nearest == null && taken < stages.size()) {
            query = firstOfEach(query, stages.get(taken));
        }
        Pipeline rest = pipeline.without(taken);
        query = query.needing(nearest == null ? needed(pipeline, rest) : null);
        boolean wantsScore = pipeline.metadata().contains(Metadata.TEXT_SCORE);
        query = query.wantingTextScore(wantsScore);
        return new PushedDown(query.hinted(hint).usingDisk(allowDiskUse), rest, shape(nearest));
    }

    /** The fields that the stages behind the plan look at; null for whole documents. */
    private static @Nullable Set<String> needed(Pipeline whole, Pipeline rest) {
        FieldSet fields = rest.fields();
        return fields.isWhole() || !whole.metadata().isEmpty() ? null : fields.names();
    }

    /** A group by a field that takes nothing, or what comes first or last, of its documents needs but one of each. */
    private static Query firstOfEach(Query query, Stage next) {
        if (!(next instanceof Group group)) {
            return query;
        }
        FieldPath path = group.path();
        if (path == null) {
            return query;
        }
        DottedPath by = DottedPath.of(path.toString());
        boolean takesFirst = query.sort().isEmpty() ? group.fields().isEmpty() : group.takesOnlyFirst();
        if (takesFirst) {
            return query.firstOfEach(by, group.collation());
        }
        return !query.sort().isEmpty() && group.takesOnlyLast() ? query.lastOfEach(by, group.collation()) : query;
    }

    private static Function<Run, RawDocument> shape(@Nullable GeoNear nearest) {
        if (nearest == null) {
            return Run::document;
        }
        return run -> {
            Locations.Nearest found = run.nearest();
            return found == null ? run.document() : nearest.shown(run.document(), found.distance(), found.location());
        };
    }
}
