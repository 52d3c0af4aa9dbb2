package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.ProfileLevels;
import dev.semel.server.command.Profiler;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code profile}: which operations of a database are kept in its {@code system.profile}, and from when on an operation of any
 * database is slow. A level that does not exist changes nothing.
 */
final class Profile implements Command<Profile.Args> {
    private static final String FILTERED =
            "When a filter expression is set, slowms and sampleRate are not used for profiling and slow-query log"
                    + " lines.";

    private final Settings settings;
    private final Profiler profiler;
    private final Supplier<Environment> environments;

    /**
     * Null for what stays as it is.
     *
     * @param filter a document, or the text {@code unset}
     */
    record Args(
            long level,
            @Nullable Value slowMs,
            @Nullable Value sampleRate,
            @Nullable Value filter) {}

    Profile(Settings settings, Profiler profiler, Supplier<Environment> environments) {
        this.settings = settings;
        this.profiler = profiler;
        this.environments = environments;
    }

    @Override
    public Spec spec() {
        return Spec.of("profile").with(Spec.Trait.OUTSIDE_TRANSACTION).needs(Rights.onDatabase(Action.enableProfiler));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(
                in.requiredInteger("profile"),
                in.optional("slowms"),
                rate(in.optional("sampleRate")),
                filter(in.optional("filter")));
    }

    private static @Nullable Value rate(@Nullable Value given) {
        boolean isShare = switch (given) {
            case Value.Double64(double rate) -> rate >= 0 && rate <= 1;
            case Value.Int32(int whole) -> whole == 0 || whole == 1;
            case null, default -> true;
        };
        if (!isShare) {
            throw new CommandException(ErrorCode.BadValue, "'sampleRate' must be between 0.0 and 1.0 inclusive");
        }
        return given;
    }

    private static @Nullable Value filter(@Nullable Value given) {
        return switch (given) {
            case null -> null;
            case Value.Doc ignored -> given;
            case Value.Str(Text text) when text.toString().equals("unset") -> given;
            default -> throw new CommandException(ErrorCode.BadValue, "Expected an object, or the string 'unset'.");
        };
    }

    @Override
    public Reply run(Args args, Call call) {
        ProfileLevels levels = profiler.levels();
        ProfileLevels.ProfileLevel before = levels.of(call.database());
        BsonWriter reply = new BsonWriter()
                .put("was", before.level())
                .put("slowms", settings.slowOperationMs.shown())
                .put("sampleRate", settings.slowOperationSampleRate.shown());
        ProfileLevels.ProfileLevel after = changed(before, args);
        if (after.level() > 0) {
            profiler.prepare(call.database(), call.interruption());
        }
        if (args.slowMs() != null) {
            settings.slowOperationMs.set(args.slowMs(), Setting.When.AT_RUNTIME);
        }
        if (args.sampleRate() != null) {
            settings.slowOperationSampleRate.set(args.sampleRate(), Setting.When.AT_RUNTIME);
        }
        levels.set(call.database(), after);
        if (before.filter() != null) {
            reply.put("filter", before.filter().given());
        }
        if (after.filter() != null) {
            reply.put("note", FILTERED);
        }
        return Reply.of(reply);
    }

    private Filter parse(RawDocument filter) {
        return Filters.parse(filter, new FilterScope(environments.get()));
    }

    private ProfileLevels.ProfileLevel changed(ProfileLevels.ProfileLevel before, Args args) {
        ProfileLevels.ProfileLevel after =
                args.level() >= 0 && args.level() <= 2 ? before.withLevel((int) args.level()) : before;
        return switch (args.filter()) {
            case null -> after;
            case Value.Doc(RawDocument given) -> {
                RawDocument kept = given.detached();
                // What cannot be parsed is refused now.
                parse(kept);
                yield after.withFilter(new ProfileLevels.FilterSetting(() -> parse(kept), kept));
            }
            default -> after.withFilter(null);
        };
    }
}
