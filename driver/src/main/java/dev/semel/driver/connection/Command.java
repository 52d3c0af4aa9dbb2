package dev.semel.driver.connection;

import org.bson.BsonBinaryWriter;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/** One command to be sent to a server, written directly into the connection's buffer. */
public interface Command {
    /** Without it, the server's own name of the command decides whether it may travel compressed. */
    String name();

    /** Writes all fields of the command, {@code $db} included, into a document that is already open. */
    void writeFields(BsonBinaryWriter writer);

    /** Documents that travel beside the body, or null. */
    default @Nullable Sequence sequence() {
        return null;
    }

    /** Documents of one field of the command, one after the other without being wrapped into an array. */
    interface Sequence {
        String field();

        void write(BasicOutputBuffer out);
    }
}
