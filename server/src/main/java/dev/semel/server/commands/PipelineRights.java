package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.View;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pipeline needs: what it reads, in its first place and in others, and what it writes. */
final class PipelineRights {
    private final Namespace collection;
    private final boolean onDatabase;
    private final List<Privilege> demands = new ArrayList<>();

    private PipelineRights(Namespace collection, boolean onDatabase) {
        this.collection = collection;
        this.onDatabase = onDatabase;
    }

    static List<Privilege> of(AggregateArgs args) {
        return of(args.collection(), args.onDatabase(), args.stages());
    }

    /** A view lets others read what it is made of, so its creator must be allowed to read that. */
    static List<Privilege> of(Namespace view, View definition) {
        return of(new Namespace(view.database(), definition.viewOn()), false, definition.stages());
    }

    private static List<Privilege> of(Namespace collection, boolean onDatabase, List<RawDocument> stages) {
        PipelineRights rights = new PipelineRights(collection, onDatabase);
        rights.source(stages.isEmpty() ? null : stages.getFirst().first());
        stages.forEach(rights::stage);
        return rights.demands;
    }

    /** Some first stages bring documents of their own; the others read the collection. */
    private void source(@Nullable Element first) {
        switch (first == null ? "" : first.name()) {
            case "$collStats" -> demands.add(Privilege.onCollection(collection, Action.collStats));
            case "$indexStats" -> demands.add(Privilege.onCollection(collection, Action.indexStats));
            case "$planCacheStats" -> demands.add(Privilege.onCollection(collection, Action.planCacheRead));
            case "$currentOp" -> demands.add(Privilege.onCluster(Action.inprog));
            case "$listLocalSessions", "$listSessions" -> demands.add(Privilege.onCluster(Action.listSessions));
            case "$documents" -> {}
            case "$changeStream" -> changeStream(first);
            case null, default -> {
                if (!onDatabase) {
                    demands.add(Privilege.onCollection(collection, Action.find));
                }
            }
        }
    }

    private void changeStream(@Nullable Element stage) {
        boolean all = stage != null
                && stage.value() instanceof Value.Doc(RawDocument options)
                && options.get("allChangesForCluster") instanceof Value.Bool(boolean cluster)
                && cluster;
        Namespace watched = onDatabase ? new Namespace(all ? "" : collection.database(), "") : collection;
        demands.add(Privilege.onCollection(watched, Action.changeStream, Action.find));
    }

    private void stage(RawDocument stage) {
        Element element = stage.first();
        if (element == null) {
            return;
        }
        switch (element.name()) {
            case "$lookup", "$graphLookup" -> reads(element.value(), "from");
            case "$unionWith" -> reads(element.value(), "coll");
            case "$facet" -> facet(element.value());
            case "$out" -> writes(target(element.value()), Action.insert, Action.remove);
            case "$merge" ->
                writes(
                        element.value() instanceof Value.Doc(RawDocument merge)
                                ? target(merge.get("into"))
                                : target(element.value()),
                        Action.insert,
                        Action.update);
            default -> {}
        }
    }

    /** A collection of the same database, and a pipeline over it. */
    private void reads(Value specification, String field) {
        Value from = specification;
        if (specification instanceof Value.Doc(RawDocument fields)) {
            from = fields.get(field);
            pipeline(fields.get("pipeline"));
        }
        Namespace other = target(from);
        if (other != null) {
            demands.add(Privilege.onCollection(other, Action.find));
        }
    }

    private void facet(Value specification) {
        if (specification instanceof Value.Doc(RawDocument facets)) {
            for (Element each : facets) {
                pipeline(each.value());
            }
        }
    }

    private void pipeline(@Nullable Value value) {
        if (value instanceof Value.Array(RawDocument stages)) {
            for (Element each : stages) {
                if (each.value() instanceof Value.Doc(RawDocument stage)) {
                    stage(stage);
                }
            }
        }
    }

    private void writes(@Nullable Namespace target, Action... actions) {
        if (target != null) {
            demands.add(Privilege.onCollection(target, actions));
        }
    }

    /** A collection by its name or as {@code {db, coll}}; null for what is neither, which the stage will refuse. */
    private @Nullable Namespace target(@Nullable Value value) {
        return switch (value) {
            case Value.Str(var name) -> new Namespace(collection.database(), name.toString());
            case Value.Doc(RawDocument fields)
            when fields.get("coll") instanceof Value.Str(var name) ->
                fields.get("db") instanceof Value.Str(var database)
                        ? new Namespace(database.toString(), name.toString())
                        : new Namespace(collection.database(), name.toString());
            case null, default -> null;
        };
    }
}
