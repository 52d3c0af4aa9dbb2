package dev.semel.server.commands;

import dev.semel.query.expression.Environment;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Privileges;
import dev.semel.server.auth.Resource;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.StorageSizes;
import dev.semel.server.command.Access;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code listDatabases}: every database that has a collection, and those of the server itself. */
final class ListDatabases implements Command<ListDatabases.Args> {
    private static final long MEGABYTE = 1024 * 1024;

    /** MongoDB has them from its first start, and tools look for them. */
    private static final List<String> ALWAYS = List.of("admin", "config", "local");

    private final Catalog catalog;
    private final Transactions transactions;
    private final StorageSizes sizes;
    private final Supplier<Environment> environments;
    private final Access access;

    /** Null leaves it to the caller's rights whether others than authorized databases are shown. */
    record Args(Filter filter, boolean nameOnly, @Nullable Boolean onlyAuthorized) {}

    ListDatabases(
            Catalog catalog,
            Transactions transactions,
            StorageSizes sizes,
            Supplier<Environment> environments,
            Access access) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.sizes = sizes;
        this.environments = environments;
        this.access = access;
    }

    @Override
    public Spec spec() {
        return Spec.of("listDatabases")
                .with(Spec.Trait.ADMIN_ONLY, Spec.Trait.READS_CATALOG)
                .needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        in.ignored("listDatabases");
        return new Args(
                Filters.parse(in.documentOrEmpty("filter"), new FilterScope(environments.get())),
                in.bool("nameOnly", false),
                in.has("authorizedDatabases") ? (Boolean) in.bool("authorizedDatabases", false) : null);
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        return Boolean.FALSE.equals(args.onlyAuthorized())
                ? List.of(Privilege.onCluster(Action.listDatabases))
                : List.of();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter().startArray("databases");
        long total = 0;
        Privileges allowed = access.privileges(call.client());
        boolean all =
                !Boolean.TRUE.equals(args.onlyAuthorized()) && allowed.allow(Resource.cluster(), Action.listDatabases);
        try (Snapshot snapshot = transactions.snapshot()) {
            call.saw(snapshot);
            Set<String> databases = new TreeSet<>(ALWAYS);
            databases.addAll(catalog.databases(snapshot));
            for (String database : databases) {
                long bytes = args.nameOnly() ? 0 : sizes.ofDatabase(catalog.collections(database, snapshot));
                RawDocument described = describe(database, bytes, args.nameOnly());
                if ((all || allowed.reach(database)) && args.filter().matches(described)) {
                    out.add(described);
                    total += bytes;
                }
            }
        }
        out.end();
        if (!args.nameOnly()) {
            out.put("totalSize", total).put("totalSizeMb", total / MEGABYTE);
        }
        return Reply.of(out);
    }

    private static RawDocument describe(String database, long bytes, boolean nameOnly) {
        BsonWriter out = new BsonWriter().put("name", database);
        return nameOnly
                ? out.finish()
                : out.put("sizeOnDisk", bytes).put("empty", false).finish();
    }
}
