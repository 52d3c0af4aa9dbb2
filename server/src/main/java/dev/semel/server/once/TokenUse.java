package dev.semel.server.once;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a command says of its token.
 *
 * @param keep for how long its outcome is to be kept; null for as long as the server keeps them by default
 */
public record TokenUse(Token token, @Nullable Duration keep) {}
