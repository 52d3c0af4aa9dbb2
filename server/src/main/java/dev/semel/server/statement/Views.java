package dev.semel.server.statement;

import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.View;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out what to read if a command names a view. */
public final class Views {
    /** More views cannot lie over each other when each is made; they can when the lower ones are changed. */
    private static final int DEPTH_MAX = 20;

    private final Catalog catalog;

    public Views(Catalog catalog) {
        this.catalog = catalog;
    }

    /** A collection, and the stages that make the view of it. */
    public record Resolved(Namespace collection, List<RawDocument> stages) {
        /** With what a command wants of the view. */
        public List<RawDocument> then(List<RawDocument> further) {
            List<RawDocument> all = new ArrayList<>(stages);
            all.addAll(further);
            return all;
        }
    }

    /**
     * Null if the name is no view's.
     *
     * @param collation what the command asks for; a view has one and no other, because its pipeline may depend on it
     */
    public @Nullable Resolved find(Namespace namespace, @Nullable Collation collation) {
        View view = catalog.view(namespace);
        if (view == null) {
            return null;
        }
        if (collation != null && !collation.equals(catalog.collation(namespace))) {
            throw new CommandException(
                    ErrorCode.OptionNotSupportedOnView, "Cannot override a view's default collation: %s", namespace);
        }
        return resolve(namespace, view);
    }

    /** For what can be done with collections only. */
    public void refuse(Namespace namespace) {
        if (catalog.view(namespace) != null) {
            throw new CommandException(
                    ErrorCode.CommandNotSupportedOnView, "Namespace %s is a view, not a collection", namespace);
        }
    }

    private Resolved resolve(Namespace namespace, View first) {
        List<RawDocument> stages = new ArrayList<>();
        View view = first;
        Namespace on = namespace;
        for (int depth = 0; view != null; depth++) {
            if (depth == DEPTH_MAX || bytes(stages) > Limits.DOCUMENT_BYTES_MAX) {
                throw new CommandException(
                        ErrorCode.ViewDepthLimitExceeded,
                        "View depth too deep or view cycle detected; maximum depth is %d",
                        DEPTH_MAX);
            }
            stages.addAll(0, view.stages());
            on = new Namespace(namespace.database(), view.viewOn());
            view = catalog.view(on);
        }
        return new Resolved(on, stages);
    }

    private static long bytes(List<RawDocument> stages) {
        return stages.stream().mapToLong(RawDocument::length).sum();
    }
}
