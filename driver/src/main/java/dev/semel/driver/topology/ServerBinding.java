package dev.semel.driver.topology;

import dev.semel.driver.connection.Connection;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.setting.ServerAddress;

/** Where a command goes: to a server, by any connection, or by the one connection to which its cursor is pinned. */
public sealed interface ServerBinding permits Server, PinnedConnection {
    ServerAddress address();

    /** What this server last said. */
    ServerDescription description();

    /** A connection for one command; {@link #checkIn} ends its use. */
    Connection checkOut(Deadline deadline);

    void checkIn(Connection connection);

    /** Reports a failure on a connection of this server to the topology. */
    void failed(Connection connection, MongoException failure);

    /** Where the command goes that uses this connection of this place, and what follows from it. */
    ServerBinding by(Connection connection);

    /** There is an open cursor on this server. */
    void keepFor(long cursorId);

    /** The cursor is closed, or lost. A second call, or one for a cursor that was not opened here, has no effect. */
    void letGo(long cursorId);
}
