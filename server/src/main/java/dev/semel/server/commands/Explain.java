package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.statement.Write;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.function.BooleanSupplier;

/** {@code explain}: how another command would find its documents. It changes nothing. */
final class Explain implements Command<Explain.Args> {
    /** What any command may carry and what changes no plan. */
    private static final String[] OF_EVERY_COMMAND = {
        "$db",
        "lsid",
        "comment",
        "maxTimeMS",
        "readConcern",
        "writeConcern",
        "$readPreference",
        "$clusterTime",
        "apiVersion",
        "apiStrict",
        "apiDeprecationErrors"
    };

    private final Explanations explanations;
    private final BooleanSupplier diskUseByDefault;

    /** Explains the command, once understood. */
    private interface Work {
        Reply run(Explanations explanations, Verbosity verbosity, RawDocument command, Call call);
    }

    /** One who may not run a command may not learn how it would run either. */
    record Explained(List<Privilege> demands, Work work) {}

    record Args(RawDocument command, Verbosity verbosity, Explained explained) {}

    Explain(Explanations explanations, BooleanSupplier diskUseByDefault) {
        this.explanations = explanations;
        this.diskUseByDefault = diskUseByDefault;
    }

    @Override
    public Spec spec() {
        return Spec.of("explain").with(Spec.Trait.READ_CONCERN).needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        RawDocument command = in.requiredDocument("explain");
        String verbosity = in.string("verbosity");
        return new Args(
                command,
                verbosity == null ? Verbosity.ALL_PLANS_EXECUTION : Verbosity.parse(verbosity),
                explained(command, in.database()));
    }

    private Explained explained(RawDocument command, String database) {
        Element first = command.first();
        String name = first == null ? "" : first.name();
        Arguments in = new Arguments(
                name.equals("findandmodify") ? "findAndModify" : name, database, command, Arguments.Sequences.NONE);
        in.ignored(OF_EVERY_COMMAND);
        Explained explained = switch (name) {
            case "aggregate" -> {
                AggregateArgs args = AggregateArgs.parse(in, diskUseByDefault);
                yield new Explained(
                        PipelineRights.of(args),
                        (with, verbosity, sent, call) -> with.aggregate(args, verbosity, sent, call));
            }
            case "count" -> {
                CountArgs args = CountArgs.parse(in);
                yield new Explained(
                        find(args.collection()),
                        (with, verbosity, sent, call) -> with.count(args, verbosity, sent, call));
            }
            case "delete" -> {
                Write.Delete statement = (Write.Delete) only(WriteArgs.delete(in));
                yield new Explained(
                        WriteRights.of(List.of(statement)),
                        (with, verbosity, sent, call) -> with.delete(statement, verbosity, sent, call));
            }
            case "distinct" -> {
                DistinctArgs args = DistinctArgs.parse(in);
                yield new Explained(
                        find(args.collection()),
                        (with, verbosity, sent, call) -> with.distinct(args, verbosity, sent, call));
            }
            case "find" -> {
                FindArgs args = FindArgs.parse(in, diskUseByDefault);
                yield new Explained(
                        find(args.collection()),
                        (with, verbosity, sent, call) -> with.find(args, verbosity, sent, call));
            }
            case "findAndModify", "findandmodify" -> {
                FindAndModifyArgs args = FindAndModifyArgs.parse(in);
                yield new Explained(
                        args.demands(),
                        (with, verbosity, sent, call) -> with.findAndModify(args, verbosity, sent, call));
            }
            case "update" -> {
                Write.Update statement = (Write.Update) only(WriteArgs.update(in));
                yield new Explained(
                        WriteRights.of(List.of(statement)),
                        (with, verbosity, sent, call) -> with.update(statement, verbosity, sent, call));
            }
            default ->
                throw new CommandException(
                        ErrorCode.CommandNotFound, "Explain failed due to unknown command: %s", name);
        };
        in.refuseUnknown();
        return explained;
    }

    private static List<Privilege> find(Namespace collection) {
        return List.of(Privilege.onCollection(collection, Action.find));
    }

    private static Write only(WriteArgs args) {
        if (args.statements().size() != 1) {
            throw new CommandException(ErrorCode.InvalidLength, "explained write batches must be of size 1");
        }
        return args.statements().getFirst();
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        return args.explained().demands();
    }

    @Override
    public Reply run(Args args, Call call) {
        return args.explained().work().run(explanations, args.verbosity(), args.command(), call);
    }
}
