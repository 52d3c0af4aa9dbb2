/**
 * Access control: users with their roles and credentials, authentication, and what the built-in roles
 * allow. Independent of commands; {@code server.command} uses it, at one place. Users are documents of
 * {@code admin.system.users}, so they are as durable as any other. Start reading at {@link Users}.
 */
@NullMarked
package dev.semel.server.auth;

import org.jspecify.annotations.NullMarked;
