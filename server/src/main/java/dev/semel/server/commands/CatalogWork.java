package dev.semel.server.commands;

import dev.semel.server.catalog.Ddl;
import dev.semel.server.command.Call;
import org.jspecify.annotations.Nullable;

/** A command's change of the catalog belongs to the transaction that the command works in, if there is one. */
final class CatalogWork {
    private CatalogWork() {}

    static Ddl.Scope scope(Call call) {
        var inside = call.transaction();
        return new Ddl.Scope(inside == null ? null : inside.transaction(), call.interruption());
    }

    /** The outcome; the reply has then waited for the command's own commit, if it has one. */
    static <T extends @Nullable Object> T result(Ddl.Done<T> done, Call call) {
        if (done.commit() != null) {
            call.committed(done.commit());
        }
        return done.result();
    }
}
