/** How the server speaks TLS: its certificate, whom it trusts, and by which names the certificate can be reached. */
@NullMarked
package dev.semel.server.tls;

import org.jspecify.annotations.NullMarked;
