/**
 * What both halves of SCRAM (RFC 5802, RFC 7677) compute: how a password is prepared and stretched, and how messages are
 * taken apart. Pure; the conversations themselves are with client and server. Start reading at {@link ScramHash}.
 */
@NullMarked
package dev.semel.wire.scram;

import org.jspecify.annotations.NullMarked;
