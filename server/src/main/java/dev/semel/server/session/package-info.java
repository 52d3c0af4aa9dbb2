/**
 * Logical sessions: what a client calls {@code lsid}, across connections. Knows nothing of commands; whoever keeps
 * something for a session (cursors, transactions) is told when it ends. Start at {@link dev.semel.server.session.Sessions}.
 */
@NullMarked
package dev.semel.server.session;

import org.jspecify.annotations.NullMarked;
