package dev.semel.server.statement;

import dev.semel.query.update.Update;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.TimeSeries;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Statements that a time-series collection refuses, whatever they would find: a measurement is not one to be picked out. */
final class Measurements {
    private Measurements() {}

    static void refuseOne(Collection collection, ErrorCode code, String what) {
        if (collection.timeSeries() != null) {
            throw new CommandException(code, "Cannot perform a non-multi %s on a time-series collection", what);
        }
    }

    static void checkUpdate(Collection collection, Change change) {
        TimeSeries series = collection.timeSeries();
        if (series == null) {
            return;
        }
        if (change.upsert()) {
            throw refused("an upsert");
        }
        switch (change.update()) {
            case Update.Replacement ignored -> throw refusedUpdate("using a replacement document");
            case Update.Transformation ignored -> throw refusedUpdate("using a pipeline update");
            case Update.Operators operators -> checkFields(series.metaField(), operators.changed());
        }
    }

    /** Nothing but whose measurement it is may change. */
    private static void checkFields(@Nullable String metaField, List<DottedPath> changed) {
        if (metaField == null) {
            throw refusedUpdate("that does not have a metaField");
        }
        for (DottedPath each : changed) {
            if (!each.first().equals(metaField)) {
                throw refusedUpdate("which updates a field that is not the metaField '" + metaField + "'");
            }
        }
    }

    private static CommandException refusedUpdate(String how) {
        return new CommandException(
                ErrorCode.InvalidOptions, "Cannot perform an update on a time-series collection %s", how);
    }

    private static CommandException refused(String what) {
        return new CommandException(ErrorCode.InvalidOptions, "Cannot perform %s on a time-series collection", what);
    }
}
