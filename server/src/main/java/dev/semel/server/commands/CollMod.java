package dev.semel.server.commands;

import dev.semel.query.pipeline.Others;
import dev.semel.query.pipeline.Pipelines;
import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.Capped;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.CollectionOptions;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexBuilds;
import dev.semel.server.catalog.IndexSpec;
import dev.semel.server.catalog.KeyPattern;
import dev.semel.server.catalog.View;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.statement.Scopes;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code collMod}: changes a validator, or what can be changed of an index without rebuilding it. */
final class CollMod implements Command<CollMod.Args> {
    private static final int VIOLATIONS_MAX = 100;

    private final Ddl ddl;
    private final Scopes scopes;

    record Args(
            Namespace collection,
            @Nullable IndexChange index,
            @Nullable CollectionOptions options) {}

    record IndexChange(
            @Nullable String name,
            @Nullable RawDocument key,
            @Nullable Long expireAfterSeconds,
            @Nullable Boolean hidden,
            @Nullable Boolean prepareUnique,
            boolean unique) {}

    CollMod(Ddl ddl, Scopes scopes) {
        this.ddl = ddl;
        this.scopes = scopes;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("collMod").needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Args parse(Arguments in) {
        Namespace collection = in.collection("collMod");
        RawDocument index = in.optionalDocument("index");
        RawDocument validator = in.optionalDocument("validator");
        String level = in.string("validationLevel");
        String action = in.string("validationAction");
        CollectionOptions.checkValidation("collMod", level, action);
        Boolean images = Options.images(in);
        View view = view(in);
        Capped capped = capped(in);
        boolean hasOptions = validator != null
                || level != null
                || action != null
                || images != null
                || view != null
                || capped != null;
        in.notHonoured("expireAfterSeconds", "timeseries", "dryRun");
        return new Args(
                collection,
                index == null ? null : indexChange(in.inner("index", index)),
                hasOptions
                        ? new CollectionOptions(
                                validator == null ? null : validator.detached(),
                                level,
                                action,
                                images,
                                null,
                                view,
                                capped,
                                null,
                                null)
                        : null);
    }

    /** Takes effect with the next document that comes. */
    private static @Nullable Capped capped(Arguments in) {
        return in.has("cappedSize") || in.has("cappedMax")
                ? new Capped(
                        in.has("cappedSize") ? in.atLeast("cappedSize", 1, 1) : 0,
                        in.has("cappedMax") ? Math.max(0, in.integer("cappedMax", 0)) : -1)
                : null;
    }

    private static @Nullable View view(Arguments in) {
        if (in.has("viewOn") != in.has("pipeline")) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Must specify both 'viewOn' and 'pipeline' when modifying a view");
        }
        return Options.view(in);
    }

    private static IndexChange indexChange(Arguments in) {
        IndexChange change = new IndexChange(
                in.string("name"),
                in.optionalDocument("keyPattern"),
                in.has("expireAfterSeconds") ? IndexSpec.expiry(in.required("expireAfterSeconds")) : null,
                in.has("hidden") ? in.bool("hidden", false) : null,
                in.has("prepareUnique") ? in.bool("prepareUnique", false) : null,
                in.bool("unique", false));
        in.refuseUnknown();
        if ((change.name == null) == (change.key == null)) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    change.name == null
                            ? "Must specify either index name or key pattern."
                            : "Cannot specify both key pattern and name.");
        }
        if (change.expireAfterSeconds == null
                && change.hidden == null
                && change.prepareUnique == null
                && !change.unique) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "no expireAfterSeconds, hidden, unique, or prepareUnique field");
        }
        return change;
    }

    @Override
    public List<Privilege> demands(Args args, Call call) {
        List<Privilege> demands = new ArrayList<>();
        demands.add(Privilege.onCollection(args.collection(), Action.collMod));
        View view = args.options() == null ? null : args.options().view();
        if (view != null) {
            demands.addAll(PipelineRights.of(args.collection(), view));
        }
        return demands;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        BsonWriter out = new BsonWriter();
        if (args.index() != null) {
            changeIndex(args.collection(), args.index(), out, call);
        }
        CollectionOptions options = args.options();
        if (options == null && args.index() == null) {
            // Nothing changes, but change streams show the event all the same.
            options = CollectionOptions.NONE;
        }
        if (options != null) {
            View view = options.view();
            if (view != null) {
                Pipelines.parse(
                        view.stages(), scopes.forCall(RawDocument.EMPTY, null, args.collection(), call), Others.UNREAD);
            }
            CatalogWork.result(ddl.changeOptions(args.collection(), options, CatalogWork.scope(call)), call);
        }
        return Reply.of(out);
    }

    /** Judged while the collection is locked: what is found must not change before it counts. */
    private void changeIndex(Namespace namespace, IndexChange change, BsonWriter out, Call call) {
        CatalogWork.result(
                ddl.changeIndex(
                        namespace,
                        new Ddl.IndexChange() {
                            @Override
                            public Index index(Collection collection) {
                                return find(collection, change);
                            }

                            @Override
                            public IndexSpec changed(Collection collection, Index index, Snapshot latest) {
                                describe(index, change, out);
                                if (change.unique() && !index.spec().unique()) {
                                    checkUnique(collection, index, latest, call.interruption());
                                    out.put("unique_new", true);
                                }
                                return CollMod.changed(index.spec(), change);
                            }
                        },
                        CatalogWork.scope(call)),
                call);
    }

    private static void describe(Index index, IndexChange change, BsonWriter out) {
        IndexSpec before = index.spec();
        if (index.isPrimary()) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    change.hidden() == null ? "can't change the _id index" : "can't hide _id index");
        }
        Long expiry = change.expireAfterSeconds();
        if (expiry != null && !expiry.equals(before.expireAfterSeconds())) {
            if (before.key().fields().size() > 1) {
                throw new CommandException(
                        ErrorCode.InvalidOptions,
                        "TTL indexes are single-field indexes, compound indexes do not support TTL");
            }
            if (before.expireAfterSeconds() != null) {
                out.put("expireAfterSeconds_old", before.expireAfterSeconds().longValue());
            }
            out.put("expireAfterSeconds_new", expiry.longValue());
        }
        if (change.hidden() != null && change.hidden() != before.hidden()) {
            out.put("hidden_old", before.hidden())
                    .put("hidden_new", change.hidden().booleanValue());
        }
        if (change.prepareUnique() != null && change.prepareUnique() != before.prepareUnique()) {
            out.put("prepareUnique_old", before.prepareUnique())
                    .put("prepareUnique_new", change.prepareUnique().booleanValue());
        }
    }

    private static Index find(Collection collection, IndexChange change) {
        RawDocument key = change.key();
        if (key != null) {
            return withKey(collection, key);
        }
        String name = Objects.requireNonNull(change.name());
        Index found = collection.index(name);
        if (found == null) {
            throw notFound(collection, name);
        }
        return found;
    }

    private static Index withKey(Collection collection, RawDocument key) {
        List<Index> found = collection.indexesOf(KeyPattern.of(key));
        if (found.isEmpty()) {
            throw notFound(collection, Shell.text(key));
        }
        if (found.size() > 1) {
            throw new CommandException(
                    ErrorCode.AmbiguousIndexKeyPattern,
                    "index keyPattern %s matches %d indexes, must use index name. Conflicting indexes: %s, %s",
                    Shell.text(key),
                    found.size(),
                    Shell.text(found.get(0).spec().toDocument()),
                    Shell.text(found.get(1).spec().toDocument()));
        }
        return found.getFirst();
    }

    private static CommandException notFound(Collection collection, String index) {
        return new CommandException(
                ErrorCode.IndexNotFound, "cannot find index %s for ns %s", index, collection.namespace());
    }

    /** New duplicates are refused since {@code prepareUnique}, so what is found now is all there is. */
    private static void checkUnique(Collection collection, Index index, Snapshot latest, Interruption interruption) {
        if (!index.spec().prepareUnique()) {
            throw new CommandException(
                    ErrorCode.InvalidOptions,
                    "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.");
        }
        List<List<Value>> violations = IndexBuilds.duplicates(collection, index, latest, VIOLATIONS_MAX, interruption);
        if (!violations.isEmpty()) {
            BsonWriter details = new BsonWriter().startArray("violations");
            for (List<Value> ids : violations) {
                details.startDocument().startArray("ids");
                ids.forEach(details::add);
                details.end().end();
            }
            throw new CommandException(
                            ErrorCode.CannotConvertIndexToUnique,
                            "Cannot convert the index to unique. Please resolve conflicting documents before running"
                                    + " collMod again.")
                    .withDetails(new ErrorDetails(details.end().finish()));
        }
    }

    private static IndexSpec changed(IndexSpec spec, IndexChange change) {
        IndexSpec changed = spec;
        if (change.expireAfterSeconds() != null) {
            changed = changed.withExpireAfterSeconds(change.expireAfterSeconds());
        }
        if (change.hidden() != null) {
            changed = changed.withHidden(change.hidden());
        }
        if (change.prepareUnique() != null) {
            changed = changed.withPrepareUnique(change.prepareUnique());
        }
        return change.unique() ? changed.withUnique() : changed;
    }
}
