package dev.semel.server.command;

import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * What goes back to the client.
 *
 * @param next the command to run next for the same request, if this is one of several replies
 * @param closesConnection true if nothing is sent and the connection ends
 */
public record Answer(RawDocument reply, @Nullable RawDocument next, boolean closesConnection) {}
