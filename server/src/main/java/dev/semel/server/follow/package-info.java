/**
 * Waiting for changes: tailing cursors and change streams say what they are interested in, and a commit wakes those whom it
 * concerns. Uses the store. Start at {@link dev.semel.server.follow.Followers}.
 */
@NullMarked
package dev.semel.server.follow;

import org.jspecify.annotations.NullMarked;
