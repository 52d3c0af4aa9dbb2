package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import java.util.List;

/**
 * A moment at which something goes wrong.
 *
 * @param collection empty if the command is not about one
 * @param nth the how-manyth command of this name on this collection
 * @param background whether the message is the driver's own and not the operation's
 */
public record FaultPoint(String command, String collection, int nth, Phase phase, Kind kind, boolean background) {
    /** Unauthorized: no driver sends such a command again, and nobody should. */
    private static final int HOPELESS = 13;

    /** For the run on this database. */
    Rule rule(String database) {
        Match match = Match.command(command);
        // What is not about a collection may run on another database, as a commit does.
        Match here = collection.isEmpty() ? match : match.on(database + "." + collection);
        Rule rule = Rule.of(here, phase, action()).nth(nth);
        return kind == Kind.COMMAND_ERROR ? rule.times(Rule.ALWAYS) : rule;
    }

    private Action action() {
        return switch (kind) {
            case TRANSIENT -> new Action.Close();
            case OUTAGE -> new Action.Outage(Action.FOREVER);
            case COMMAND_ERROR -> new Action.ErrorReply(HOPELESS, "refused by the audit", List.of());
        };
    }

    /** The message, as in {@code update orders (2)} for the second. */
    public String message() {
        return command + (collection.isEmpty() ? "" : " " + collection) + (nth == 1 ? "" : " (" + nth + ")");
    }

    /** When. */
    public String moment() {
        return switch (phase) {
            case AFTER_APPLY, WITHIN_REPLY -> "applied, reply lost";
            case BEFORE, WITHIN, DUPLICATE -> kind == Kind.COMMAND_ERROR ? "refused" : "not received";
        };
    }

    @Override
    public String toString() {
        return message() + ", " + kind.label() + ", " + moment();
    }
}
