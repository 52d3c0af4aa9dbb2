package dev.semel.server.cursor;

import dev.semel.server.session.SessionId;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What others may know of a cursor that waits for its client.
 *
 * @param session null if it was opened in none
 * @param planSummary empty if nothing was planned
 * @param age since it was opened
 * @param idle since its last batch
 * @param documents that its batches have returned so far
 * @param awaitsData whether an empty batch waits for documents
 * @param command the beginning of the one with which it was opened, without what is confidential
 */
public record CursorReport(
        long id,
        Namespace namespace,
        @Nullable SessionId session,
        String planSummary,
        Duration age,
        Duration idle,
        long documents,
        long batches,
        boolean timesOut,
        boolean isTailable,
        boolean awaitsData,
        RawDocument command) {}
