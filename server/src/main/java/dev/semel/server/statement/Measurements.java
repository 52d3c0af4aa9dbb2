package dev.semel.server.statement;

import dev.semel.server.catalog.Collection;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** Statements that a time-series collection refuses, whatever they would find: a measurement is not one to be picked out. */
final class Measurements {
    private Measurements() {}

    static void refuseOne(Collection collection, ErrorCode code, String what) {
        if (collection.timeSeries() != null) {
            throw new CommandException(code, "Cannot perform a non-multi %s on a time-series collection", what);
        }
    }

    static void checkUpdate(Collection collection, Change change) {
        if (collection.timeSeries() == null) {
            return;
        }
        if (change.upsert()) {
            throw refused("an upsert");
        }
        if (change.isReplacement()) {
            throw refused("a replacement");
        }
    }

    private static CommandException refused(String what) {
        return new CommandException(ErrorCode.InvalidOptions, "Cannot perform %s on a time-series collection", what);
    }
}
