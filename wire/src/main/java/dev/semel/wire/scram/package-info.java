/**
 * What both halves of SCRAM (RFC 5802, RFC 7677) compute: how a password is prepared and hashed, how messages are parsed,
 * and how a client answers. Independent of connections. Start reading at {@link ScramHash}.
 */
@NullMarked
package dev.semel.wire.scram;

import org.jspecify.annotations.NullMarked;
