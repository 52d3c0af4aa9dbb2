/**
 * Who may do what: users with their roles and credentials, the proof of who a client is, and what the built-in roles
 * allow. Knows nothing of commands; {@code server.command} asks it, at one place. Users are documents of
 * {@code admin.system.users}, so they are as durable as any other. Start reading at {@link Users}.
 */
@NullMarked
package dev.semel.server.auth;

import org.jspecify.annotations.NullMarked;
