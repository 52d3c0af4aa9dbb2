package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Ddl;
import dev.semel.server.catalog.Names;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;

/** {@code dropDatabase}: all collections of a database, at one commit. */
final class DropDatabase implements Command<String> {
    private final Ddl ddl;

    DropDatabase(Ddl ddl) {
        this.ddl = ddl;
    }

    @Override
    public Spec spec() {
        return Spec.ddl("dropDatabase").needs(Rights.onDatabase(Action.dropDatabase));
    }

    @Override
    public String parse(Arguments in) {
        if (in.integer("dropDatabase", 0) != 1) {
            throw new CommandException(ErrorCode.location(5255100), "Invalid value for 'dropDatabase': must be 1");
        }
        Names.checkDatabase(in.database());
        return in.database();
    }

    @Override
    public Reply run(String database, Call call) {
        if (database.equals("admin") || database.equals("config") || database.equals("local")) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "Dropping the '%s' database is prohibited.", database);
        }
        if (call.transaction() != null) {
            throw new CommandException(
                    ErrorCode.location(16777), "Cannot drop database '%s' within a transaction", database);
        }
        boolean any = CatalogWork.result(ddl.dropDatabase(database, CatalogWork.scope(call)), call);
        return any ? Reply.of(new BsonWriter().put("dropped", database)) : Reply.ok();
    }
}
