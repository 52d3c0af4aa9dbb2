package dev.semel.server.catalog;

import dev.semel.query.value.Collation;
import dev.semel.store.Snapshot;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Shell;

/** What a view may be on: not itself, not even indirectly, and not on an unlimited chain of views. */
final class ViewDefinitions {
    /** How many views may lie over each other. */
    static final int DEPTH_MAX = 20;

    private ViewDefinitions() {}

    /** Before a view of this name gets its definition. */
    static void check(Namespace namespace, View view, Collation collation, Catalog catalog, Transaction transaction) {
        try (Snapshot latest = transaction.latest()) {
            walk(namespace, view, collation, catalog, latest);
        }
    }

    private static void walk(Namespace namespace, View view, Collation collation, Catalog catalog, Snapshot snapshot) {
        View at = view;
        for (int depth = 1; ; depth++) {
            Namespace on = new Namespace(namespace.database(), at.viewOn());
            if (on.equals(namespace)) {
                throw new CommandException(
                        ErrorCode.GraphContainsCycle, "View cycle detected: %s is defined on itself", namespace);
            }
            Collection next = catalog.find(on, snapshot);
            if (next == null || next.view() == null) {
                return;
            }
            if (!next.collation().equals(collation)) {
                throw new CommandException(
                        ErrorCode.OptionNotSupportedOnView,
                        "View %s has collation %s, that of the view %s, which it is on, is %s",
                        namespace,
                        Shell.text(collation.document()),
                        on,
                        Shell.text(next.collation().document()));
            }
            if (depth >= DEPTH_MAX) {
                throw new CommandException(
                        ErrorCode.ViewDepthLimitExceeded, "View depth limit exceeded; maximum depth is %d", DEPTH_MAX);
            }
            at = next.view();
        }
    }
}
