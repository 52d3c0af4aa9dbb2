package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * What goes back to the client.
 *
 * @param next what follows for the same request, if this is one of several replies
 * @param closesConnection true if nothing is sent and the connection ends
 * @param afterwards what happens when the reply has left; null for nothing
 * @param memory what the reply takes; null if it is small
 */
public record Answer(
        RawDocument reply,
        @Nullable Next next,
        boolean closesConnection,
        @Nullable Afterwards afterwards,
        @Nullable Reservation memory) {

    /**
     * The commands that are run when the reply has been sent, or could not be.
     *
     * @param unlessSent null for none
     */
    public record Next(RawDocument command, @Nullable RawDocument unlessSent) {}

    /** On the connection's thread, which reads no further request meanwhile. */
    public interface Afterwards {
        /** The reply has left. Says whether the connection goes on. */
        boolean goesOn();
    }

    Answer(RawDocument reply, @Nullable Next next, boolean closesConnection) {
        this(reply, next, closesConnection, null, null);
    }

    /** To a message that did not get as far as being a command. */
    public static Answer of(CommandException failure) {
        return new Answer(Dispatcher.error(failure), null, false);
    }

    Answer then(Afterwards what) {
        return new Answer(reply, next, closesConnection, what, memory);
    }

    Answer holding(Reservation taken) {
        return new Answer(reply, next, closesConnection, afterwards, taken);
    }

    /** The reply is not used any more. */
    public void release() {
        if (memory != null) {
            memory.close();
        }
    }

    /** To be asked when the reply has left. */
    public boolean goesOn() {
        return afterwards == null || afterwards.goesOn();
    }
}
