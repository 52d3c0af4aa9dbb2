package dev.semel.server.commands;

import dev.semel.query.filter.FilterScope;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Documents;
import dev.semel.server.cursor.ExecutorError;
import dev.semel.server.output.OutputStage;
import dev.semel.server.output.Outputs;
import dev.semel.server.statement.Scopes;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;

/** {@code mapReduce}: a pipeline of JavaScript functions. */
final class MapReduce implements Command<MapReduceArgs> {
    private final ReadSources sources;
    private final Piping piping;
    private final Scopes scopes;
    private final Outputs outputs;

    MapReduce(ReadSources sources, Piping piping, Scopes scopes, Outputs outputs) {
        this.sources = sources;
        this.piping = piping;
        this.scopes = scopes;
        this.outputs = outputs;
    }

    @Override
    public Spec spec() {
        return Spec.of("mapReduce")
                .alias("mapreduce")
                .with(Trait.READ_CONCERN, Trait.WRITE_CONCERN, Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public MapReduceArgs parse(Arguments in) {
        return MapReduceArgs.parse(in);
    }

    @Override
    public List<Privilege> demands(MapReduceArgs args, Call call) {
        List<Privilege> demands = new ArrayList<>();
        demands.add(Privilege.onCollection(args.collection(), Action.find));
        MapReduceArgs.Output output = args.output();
        if (output != null) {
            demands.add(Privilege.onCollection(
                    output.target(),
                    Action.insert,
                    output.mode() == MapReduceArgs.Mode.REPLACE ? Action.remove : Action.update));
        }
        return demands;
    }

    @Override
    public Reply run(MapReduceArgs args, Call call) {
        call.worksOn(args.collection());
        CurrentCall current = new CurrentCall(call);
        FilterScope scope = scopes.forResult(RawDocument.EMPTY, args.collation(), args.collection(), current);
        scope.environment().scripts().define(args.variables());
        MapReduceArgs.Output output = args.output();
        return output == null ? inline(args, scope, current, call) : written(output, args, scope, current, call);
    }

    private Documents results(MapReduceArgs args, FilterScope scope, CurrentCall current, Call call) {
        return piping.open(
                        sources.resolve(args.collection(), args.collation()),
                        args.stages(),
                        null,
                        scope,
                        current,
                        true,
                        call)
                .documents();
    }

    private Reply inline(MapReduceArgs args, FilterScope scope, CurrentCall current, Call call) {
        BsonWriter reply = new BsonWriter(4096).startArray("results");
        try (Documents results = results(args, scope, current, call)) {
            results.resume(call);
            for (RawDocument result = results.next(); result != null; result = results.next()) {
                reply.add(result);
                if (reply.length() > Limits.DOCUMENT_BYTES_MAX) {
                    throw new CommandException(
                            ErrorCode.BSONObjectTooLarge,
                            "The results of mapReduce exceed %d bytes: write them to a collection",
                            Limits.DOCUMENT_BYTES_MAX);
                }
            }
        }
        return Reply.of(reply.end());
    }

    private Reply written(
            MapReduceArgs.Output output, MapReduceArgs args, FilterScope scope, CurrentCall current, Call call) {
        call.refuseOnce();
        OutputStage stage = args.stage(output);
        outputs.check(stage, call);
        call.startsWriting();
        var manner = new Outputs.Manner(RawDocument.EMPTY, scope, args.bypassValidation());
        try {
            outputs.write(stage, results(args, scope, current, call), manner, call);
        } catch (CommandException e) {
            throw ExecutorError.of(call, args.collection(), e);
        }
        return Reply.of(result(output.target(), call, new BsonWriter()));
    }

    private static BsonWriter result(Namespace target, Call call, BsonWriter reply) {
        if (target.database().equals(call.database())) {
            return reply.put("result", target.collection());
        }
        return reply.startDocument("result")
                .put("db", target.database())
                .put("collection", target.collection())
                .end();
    }
}
