package dev.semel.server.cursor;

import java.time.Duration;

/**
 * Server parameters.
 *
 * @param idleTimeout {@code cursorTimeoutMillis}: a cursor that has been idle for this time is closed
 * @param snapshotAgeMax {@code cursorSnapshotMaxAge}: an older cursor is ended, in use or not, because what it can still
 *     see must be kept for it
 */
public record CursorLimits(Duration idleTimeout, Duration snapshotAgeMax) {
    public static final CursorLimits DEFAULT = new CursorLimits(Duration.ofMinutes(10), Duration.ofHours(1));
}
