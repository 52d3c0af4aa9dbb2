/**
 * Logical sessions: what a client calls {@code lsid}, across connections. Independent of commands; parts that keep
 * something for a session (cursors, transactions) are notified when it ends. Start at {@link
 * dev.semel.server.session.Sessions}.
 */
@NullMarked
package dev.semel.server.session;

import org.jspecify.annotations.NullMarked;
