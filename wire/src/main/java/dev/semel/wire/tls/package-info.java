/**
 * Certificates and keys as MongoDB's programs take them: files in PEM form. The same for clients and servers. Start reading
 * at {@link PemFile}.
 */
@NullMarked
package dev.semel.wire.tls;

import org.jspecify.annotations.NullMarked;
