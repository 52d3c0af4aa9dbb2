package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Sizes;
import dev.semel.query.filter.Filter;
import dev.semel.query.geo.NearQuery;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * {@code $geoNear}: the documents of the collection in the order of their distance. Only a plan with an index can do that,
 * so whoever runs a pipeline takes this stage from its beginning and calls {@link #shown} for each document. Over what is
 * no collection it cannot be opened.
 *
 * @param key the field with the shapes; null for the one that has an index
 * @param query what else is asked of the documents
 * @param distanceField where the distance goes, and {@code includeLocs} the place; null for nowhere
 */
public record GeoNear(
        @Nullable DottedPath key,
        NearQuery near,
        Filter query,
        @Nullable DottedPath distanceField,
        @Nullable DottedPath includeLocs,
        double multiplier)
        implements Stage {

    public static final String NAME = "$geoNear";

    /** A document with its distance, in the units of the search, and its place. */
    public RawDocument shown(RawDocument document, double distance, Value location) {
        RawDocument shown = document;
        if (distanceField != null) {
            shown = Nested.set(shown, distanceField, Value.of(near.shown(distance) * multiplier));
        }
        if (includeLocs != null) {
            shown = Nested.set(shown, includeLocs, location);
        }
        Sizes.checkDepth(shown);
        return shown;
    }

    @Override
    public Source open(Source in, Execution execution) {
        throw new CommandException(
                ErrorCode.IndexNotFound, "%s requires a 2d or 2dsphere index, but none were found", NAME);
    }

    @Override
    public boolean collectFields(FieldSet into) {
        into.addWhole();
        return true;
    }
}
