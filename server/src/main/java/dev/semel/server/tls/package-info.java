/**
 * TLS on the server: its certificate, the certificate authorities it trusts, and the names for which its certificate is
 * valid.
 */
@NullMarked
package dev.semel.server.tls;

import org.jspecify.annotations.NullMarked;
