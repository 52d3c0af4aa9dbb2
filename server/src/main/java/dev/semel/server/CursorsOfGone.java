package dev.semel.server;

import dev.semel.server.cursor.Cursors;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** Ends the cursors on collections that are dropped or renamed. */
record CursorsOfGone(Cursors cursors) implements CommitListener {
    @Override
    public void visible(CommitRecord record) {
        record.forEach(
                Fact.NamespaceGone.class,
                gone -> cursors.killAll(
                        gone.namespace()::equals, new CommandException(ErrorCode.QueryPlanKilled, gone.why())));
    }
}
