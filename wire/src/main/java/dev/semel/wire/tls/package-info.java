/**
 * Certificates and keys as MongoDB's programs take them: files in PEM form, the same for clients and servers; and what clients
 * do with them. Start reading at {@link PemFile}.
 */
@NullMarked
package dev.semel.wire.tls;

import org.jspecify.annotations.NullMarked;
