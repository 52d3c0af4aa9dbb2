/**
 * Waiting for changes: tailing cursors and change streams register what they watch, and a commit wakes those that it
 * concerns. Uses the store. Start at {@link dev.semel.server.follow.Followers}.
 */
@NullMarked
package dev.semel.server.follow;

import org.jspecify.annotations.NullMarked;
