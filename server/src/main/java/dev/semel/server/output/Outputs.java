package dev.semel.server.output;

import dev.semel.query.filter.FilterScope;
import dev.semel.server.command.Call;
import dev.semel.server.command.ReadConcern;
import dev.semel.server.cursor.Documents;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.util.function.BooleanSupplier;

/** Writes the results of a pipeline to where its last stage says. */
public final class Outputs {
    private final Replacing replacing;
    private final Merging merging;
    private final BooleanSupplier isPrimary;

    /** With whether this node writes. */
    public Outputs(Replacing replacing, Merging merging, BooleanSupplier isPrimary) {
        this.replacing = replacing;
        this.merging = merging;
        this.isPrimary = isPrimary;
    }

    /**
     * How a command wants it done.
     *
     * @param let the command's own variables, which a pipeline of the stage may name too
     * @param scope they and the environment of the command
     */
    public record Manner(RawDocument let, FilterScope scope, boolean bypassValidation) {}

    /** Refuses, before anything is read, what cannot be written. */
    public void check(OutputStage stage, Call call) {
        if (!isPrimary.getAsBoolean()) {
            throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
        }
        if (call.readConcern().level() == ReadConcern.Level.LINEARIZABLE) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "%s cannot be used with a 'linearizable' read concern level",
                    stage.name());
        }
        if (call.transaction() != null) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction, "%s cannot run within a transaction", stage.name());
        }
        switch (stage) {
            case OutputStage.Out out -> replacing.check(out);
            case OutputStage.Merge merge -> merging.check(merge);
        }
    }

    /** Reads all results and closes them. */
    public void write(OutputStage stage, Documents results, Manner manner, Call call) {
        try (results) {
            results.resume(call);
            switch (stage) {
                case OutputStage.Out out -> replacing.write(out, results, manner, call);
                case OutputStage.Merge merge -> merging.write(merge, results, manner, call);
            }
        }
    }
}
