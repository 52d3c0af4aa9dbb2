package dev.semel.server.output;

import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.TemporaryCollections;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.Documents;
import dev.semel.server.statement.Bypass;
import dev.semel.server.statement.Write;
import dev.semel.server.statement.Writes;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/**
 * {@code $out}: the results go into a temporary collection, which then takes the place of the named one.
 * Readers of that one see all of the old documents or all of the new ones.
 */
public final class Replacing {
    private final TemporaryCollections temporaryCollections;
    private final Writes writes;

    public Replacing(TemporaryCollections temporaryCollections, Writes writes) {
        this.temporaryCollections = temporaryCollections;
        this.writes = writes;
    }

    void check(OutputStage.Out stage) {
        temporaryCollections.check(stage.target(), stage.timeSeries());
    }

    void write(OutputStage.Out stage, Documents results, Outputs.Manner manner, Call call) {
        Ddl.Scope own = Ddl.Scope.own(call.interruption());
        TemporaryCollections.TemporaryCollection temporary =
                temporaryCollections.begin(stage.target(), stage.timeSeries(), own);
        boolean done = false;
        try {
            fill(temporary, results, manner, call);
            var finished = temporaryCollections.finish(temporary, own).commit();
            if (finished != null) {
                call.committed(finished);
            }
            done = true;
        } finally {
            if (!done) {
                temporaryCollections.abandon(temporary, Ddl.Scope.own(Interruption.unlimited()));
            }
            call.worksOn(stage.target());
        }
    }

    private void fill(
            TemporaryCollections.TemporaryCollection temporary, Documents results, Outputs.Manner manner, Call call) {
        for (List<RawDocument> group = Group.next(results); !group.isEmpty(); group = Group.next(results)) {
            try {
                writes.together(
                        group,
                        each -> new Write.Insert(
                                temporary.namespace(), each, Bypass.ofValidation(manner.bypassValidation())),
                        outcome -> {},
                        call);
            } catch (CommandException e) {
                // The client does not know the temporary name.
                throw e.withMessage(e.text()
                        .replace(
                                temporary.namespace().toString(),
                                temporary.target().toString()));
            }
        }
    }
}
