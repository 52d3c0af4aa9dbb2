package dev.semel.server.command;

import dev.semel.server.auth.Privilege;
import java.util.List;

/**
 * One command of the protocol. The dispatcher calls {@link #parse} first, refuses the fields that were not read,
 * checks the privileges, and then calls {@link #run}; so a request is understood completely before anything happens.
 *
 * @param <A> the command's arguments, usually a record
 */
public interface Command<A> {
    Spec spec();

    A parse(Arguments in);

    /** The privileges it needs, for a command whose name alone does not determine them. */
    default List<Privilege> demands(A arguments, Call call) {
        return call.spec().rights().demands(call);
    }

    Reply run(A arguments, Call call);
}
