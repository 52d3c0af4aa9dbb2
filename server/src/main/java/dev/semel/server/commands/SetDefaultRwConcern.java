package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.DefaultConcerns;
import dev.semel.server.command.ReadConcern;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.WriteConcern;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.statement.Writes;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** {@code setDefaultRWConcern}: what applies from now on to commands that name no concern, on all members. */
final class SetDefaultRwConcern implements Command<SetDefaultRwConcern.Args> {
    private final DefaultConcerns defaults;
    private final Writes writes;
    private final Transactions transactions;
    private final ReplicaSet replicaSet;
    private final InstantSource clock;

    /** An empty document takes a default away; null leaves it as it is. */
    record Args(@Nullable RawDocument read, @Nullable RawDocument write) {}

    SetDefaultRwConcern(
            DefaultConcerns defaults,
            Writes writes,
            Transactions transactions,
            ReplicaSet replicaSet,
            InstantSource clock) {
        this.defaults = defaults;
        this.writes = writes;
        this.transactions = transactions;
        this.replicaSet = replicaSet;
        this.clock = clock;
    }

    @Override
    public Spec spec() {
        return Spec.of("setDefaultRWConcern")
                .with(
                        Spec.Trait.ADMIN_ONLY,
                        Spec.Trait.WRITES,
                        Spec.Trait.WRITE_CONCERN,
                        Spec.Trait.OUTSIDE_TRANSACTION)
                .needs(Rights.onCluster(Action.setDefaultRWConcern));
    }

    @Override
    public Args parse(Arguments in) {
        DefaultRwConcernReply.refuseStandalone(replicaSet, "setDefaultRWConcern");
        RawDocument read = in.optionalDocument("defaultReadConcern");
        RawDocument write = in.optionalDocument("defaultWriteConcern");
        if (read == null && write == null) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "At least one of the \"defaultReadConcern\" or \"defaultWriteConcern\" fields must be present");
        }
        if (read != null && !read.isEmpty()) {
            DefaultConcerns.check(ReadConcern.parse(in.inner("defaultReadConcern", read), ReadConcern.Level.LOCAL));
        }
        if (write != null && !write.isEmpty()) {
            DefaultConcerns.check(WriteConcern.parse(write, WriteConcern.DEFAULT));
        }
        return new Args(read, write);
    }

    @Override
    public Reply run(Args args, Call call) {
        writes.single(call, transaction -> {
            defaults.store(transaction, before -> fields(args, before));
            return true;
        });
        return DefaultRwConcernReply.of(defaults.read(), clock);
    }

    private RawDocument fields(Args args, RawDocument before) {
        RawDocument writeBefore = before.get("defaultWriteConcern") instanceof Value.Doc(RawDocument set) ? set : null;
        if (args.write() != null && args.write().isEmpty() && writeBefore != null) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "The global default write concern cannot be unset once it is set.");
        }
        RawDocument readBefore = before.get("defaultReadConcern") instanceof Value.Doc(RawDocument set) ? set : null;
        BsonWriter out = new BsonWriter();
        put("defaultReadConcern", args.read() == null ? readBefore : args.read(), out);
        put("defaultWriteConcern", args.write() == null ? writeBefore : args.write(), out);
        return out.put("updateOpTime", new Value.Timestamp(transactions.visibleTime()))
                .put("updateWallClockTime", new Value.Date(clock.millis()))
                .finish();
    }

    private static void put(String field, @Nullable RawDocument concern, BsonWriter out) {
        if (concern != null && !concern.isEmpty()) {
            out.put(field, concern);
        }
    }
}
