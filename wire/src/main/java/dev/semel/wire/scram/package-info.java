/**
 * What both halves of SCRAM (RFC 5802, RFC 7677) compute: how a password is prepared and stretched, how messages are taken
 * apart, and what a client answers. Knows nothing of connections. Start reading at {@link ScramHash}.
 */
@NullMarked
package dev.semel.wire.scram;

import org.jspecify.annotations.NullMarked;
