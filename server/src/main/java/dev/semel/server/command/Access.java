package dev.semel.server.command;

import dev.semel.server.auth.Identity;
import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.Privileges;
import dev.semel.server.auth.Users;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Shell;

/**
 * Access control: the one place that lets a command run or refuses it. A command says what it needs, by its {@link Spec}
 * or, where its arguments matter, by {@link Command#demands}. Who is inside the process may do everything.
 */
public final class Access {
    private final boolean isEnabled;
    private final Users users;

    public Access(boolean isEnabled, Users users) {
        this.isEnabled = isEnabled;
        this.users = users;
    }

    public boolean isEnabled() {
        return isEnabled;
    }

    /** Brings up to date who the client is: its user may have other roles by now, or be gone. */
    void refresh(Client client) {
        Identity known = client.identity();
        if (known != null) {
            Identity current = users.current(known);
            if (current != known) {
                client.identity(current);
            }
        }
    }

    /** Called before the command is parsed: refuses clients that are not authenticated. */
    void admit(Call call) {
        Client client = call.client();
        if (isEnabled
                && !client.isInside()
                && call.spec().rights().scope() != Rights.Scope.ANYBODY
                && client.identity() == null
                && !isFirst(client)) {
            throw new CommandException(
                    ErrorCode.Unauthorized,
                    "Command %s requires authentication",
                    call.spec().name());
        }
    }

    /** Whether the times that it has seen are believed, which are not signed. */
    boolean trusts(Client client) {
        return !isEnabled || client.isInside() || client.identity() != null;
    }

    /** Once it is understood. */
    void check(Call call) {
        Privileges allowed = privileges(call.client());
        for (Privilege each : call.demanded()) {
            if (!allowed.allow(each)) {
                throw new CommandException(
                        ErrorCode.Unauthorized,
                        "not authorized on %s to execute command %s",
                        call.database(),
                        Shell.text(OperationLog.abridged(call.shown(), OperationLog.COMMAND_BYTES_MAX)));
            }
        }
    }

    /** What the client may do; everything without access control. */
    public Privileges privileges(Client client) {
        if (!isEnabled || client.isInside()) {
            return Privileges.ALL;
        }
        Identity identity = client.identity();
        if (identity == null) {
            return isFirst(client) ? Privileges.FIRST_USER : Privileges.NONE;
        }
        return identity.privileges();
    }

    /** Until there is a user, clients on this machine may create one (the localhost exception). */
    private boolean isFirst(Client client) {
        return client.isLocal() && !users.exist();
    }
}
