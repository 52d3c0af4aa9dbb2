package dev.semel.server.statement;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.ExpressionSize;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.expression.Scope;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.script.ScriptEngine;
import dev.semel.query.update.UpdateScope;
import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Transactions;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Creates the context in which a command's filters, updates and expressions are parsed: variables, time, random source.
 */
public final class Scopes {
    private final Transactions transactions;
    private final Catalog catalog;
    private final InstantSource clock;
    private final Timestamps timestamps;
    private final Supplier<RandomGenerator> randoms;
    private final QueryMemory memory;
    private final @Nullable ScriptEngine scripts;

    /** @param scripts null if clients' JavaScript is not run */
    public Scopes(
            Transactions transactions,
            Catalog catalog,
            InstantSource clock,
            Timestamps timestamps,
            Supplier<RandomGenerator> randoms,
            QueryMemory memory,
            @Nullable ScriptEngine scripts) {
        this.scripts = scripts;
        this.memory = memory;
        this.transactions = transactions;
        this.catalog = catalog;
        this.clock = clock;
        this.timestamps = timestamps;
        this.randoms = randoms;
    }

    /**
     * For a command on a collection.
     *
     * @param collation null if the command leaves that to the collection
     */
    public FilterScope forCall(RawDocument let, @Nullable Collation collation, Namespace collection, Call call) {
        return forResult(let, collation, collection, new CurrentCall(call));
    }

    /** For what outlives the call. */
    public FilterScope forResult(
            RawDocument let, @Nullable Collation collation, Namespace collection, CurrentCall call) {
        Collation under = collation == null ? ofCollection(collection, call.call()) : collation;
        Environment environment = new Environment(
                call.call().now(clock).toEpochMilli(),
                new Value.Timestamp(transactions.visibleTime()),
                randoms.get(),
                call,
                call::stall,
                call::holdParts,
                memory,
                scripts);
        Scope plain = under.isSimple() ? Scope.EMPTY : Scope.EMPTY.under(under);
        environment.parsed(ExpressionSize.of(let));
        return new FilterScope(let.isEmpty() ? plain : plain.withLet(let, environment), environment);
    }

    /** A transaction knows the collection that it has created. */
    private Collation ofCollection(Namespace collection, Call call) {
        OpenTransaction inside = call.transaction();
        return inside == null ? catalog.collation(collection) : catalog.collation(collection, inside.transaction());
    }

    /** {@code constants} stand for themselves, unlike the values of {@code let}, which are expressions. */
    UpdateScope forUpdate(FilterScope filters, RawDocument constants, Bypass bypass) {
        Scope variables =
                constants.isEmpty() ? filters.variables() : filters.variables().with(constants);
        return new UpdateScope(
                new FilterScope(variables, filters.environment()),
                new Value.Date(clock.millis()),
                timestamps::next,
                bypass.emptyTimestamps());
    }
}
