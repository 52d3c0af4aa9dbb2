package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.server.auth.Privilege;
import dev.semel.server.changes.ChangeStreams;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.Batch;
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.ExecutorError;
import dev.semel.server.cursor.Opening;
import dev.semel.server.output.OutputStage;
import dev.semel.server.output.OutputStages;
import dev.semel.server.output.Outputs;
import dev.semel.server.statement.Scopes;
import dev.semel.server.statement.Views;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.function.BooleanSupplier;

/** {@code aggregate}: what a pipeline makes of a collection, or of what its first stage brings by itself. */
final class Aggregate implements Command<AggregateArgs> {
    private final Cursors cursors;
    private final ReadSources sources;
    private final Views views;
    private final Piping piping;
    private final Scopes scopes;
    private final FirstStages firstStages;
    private final ChangeStreams changeStreams;
    private final Outputs outputs;
    private final Explanations explanations;
    private final BooleanSupplier diskUseByDefault;

    Aggregate(
            Cursors cursors,
            ReadSources sources,
            Views views,
            Piping piping,
            Scopes scopes,
            FirstStages firstStages,
            ChangeStreams changeStreams,
            Outputs outputs,
            Explanations explanations,
            BooleanSupplier diskUseByDefault) {
        this.cursors = cursors;
        this.sources = sources;
        this.views = views;
        this.piping = piping;
        this.scopes = scopes;
        this.firstStages = firstStages;
        this.changeStreams = changeStreams;
        this.outputs = outputs;
        this.explanations = explanations;
        this.diskUseByDefault = diskUseByDefault;
    }

    @Override
    public Spec spec() {
        return Spec.read("aggregate")
                .with(Trait.SNAPSHOT_READ, Trait.WRITE_CONCERN)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public AggregateArgs parse(Arguments in) {
        return AggregateArgs.parse(in, diskUseByDefault);
    }

    @Override
    public List<Privilege> demands(AggregateArgs args, Call call) {
        return PipelineRights.of(args);
    }

    @Override
    public Reply run(AggregateArgs args, Call call) {
        call.worksOn(args.collection());
        InTransaction.check(args, call);
        for (RawDocument stage : args.stages()) {
            Element name = stage.first();
            if (name != null) {
                call.api().checkStage(name);
            }
        }
        if (args.explain()) {
            return explanations.aggregate(args, Verbosity.QUERY_PLANNER, call.command(), call);
        }
        CurrentCall current = new CurrentCall(call);
        FilterScope scope = scopes.forResult(args.let(), args.collation(), args.collection(), current);
        OutputStage output =
                ChangeStreams.isFirst(args.stages()) ? null : OutputStages.last(args.stages(), call.database());
        Long batchSize = args.batchSize();
        Opening opening = Opening.of(args.collection(), batchSize == null ? Batch.FIRST : new Batch(batchSize));
        BsonWriter reply = new BsonWriter(4096);
        if (output == null) {
            Piping.Result result = result(args, scope, current, call);
            cursors.open(reply, opening.at(result.atClusterTime()), result.documents(), call);
        } else {
            call.refuseOnce();
            outputs.check(output, call);
            call.startsWriting();
            Documents results = result(args.withoutLast(), scope, current, call).documents();
            write(output, results, new Outputs.Manner(args.let(), scope, args.bypassValidation()), args, call);
            cursors.open(reply, opening, new Collected(List.of()), call);
        }
        return Reply.of(reply);
    }

    private void write(OutputStage output, Documents results, Outputs.Manner manner, AggregateArgs args, Call call) {
        try {
            outputs.write(output, results, manner, call);
        } catch (CommandException e) {
            throw ExecutorError.of(call, args.collection(), e);
        }
    }

    private Piping.Result result(AggregateArgs args, FilterScope scope, CurrentCall current, Call call) {
        if (ChangeStreams.isFirst(args.stages())) {
            Tails.refuseInside(call);
            views.refuse(args.collection());
            return Piping.Result.of(
                    changeStreams.open(args.collection(), args.onDatabase(), args.stages(), scope, current, call));
        }
        List<RawDocument> own = firstStages.documents(args, scope, call);
        if (own != null) {
            List<RawDocument> rest = args.stages().subList(1, args.stages().size());
            return Piping.Result.of(piping.open(own, rest, scope, current, args.allowDiskUse(), call));
        }
        return piping.open(
                sources.resolve(args.collection(), args.collation()),
                args.stages(),
                args.hint(),
                scope,
                current,
                args.allowDiskUse(),
                call);
    }
}
