package dev.semel.server.command;

/**
 * One command of the protocol. The dispatcher calls {@link #parse} first, refuses the fields that nobody asked for, and
 * then calls {@link #run}; so a request is understood completely before anything happens.
 *
 * @param <A> the command's arguments, usually a record
 */
public interface Command<A> {
    Spec spec();

    A parse(Arguments in);

    Reply run(A arguments, Call call);
}
