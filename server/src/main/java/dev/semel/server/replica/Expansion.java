package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.ObjectId;

/** How a server that is the only member of its set becomes one of several. */
public interface Expansion {
    /** Of a set that begins now. */
    ObjectId newId();

    /**
     * Before the configuration is stored: tells the others that they belong to the set from now on, and makes sure that
     * this server is started as one of several the next time. What is wrong with one of them fails.
     */
    void prepare(SetConfig next, String self, Interruption interruption);

    /** The configuration is stored. Returns at once; the server is closed soon and opened as one of several. */
    void begin();
}
