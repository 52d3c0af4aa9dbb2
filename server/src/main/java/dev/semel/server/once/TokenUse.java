package dev.semel.server.once;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The token of a command.
 *
 * @param keep how long its outcome is kept; null for the server's default
 */
public record TokenUse(Token token, @Nullable Duration keep) {}
