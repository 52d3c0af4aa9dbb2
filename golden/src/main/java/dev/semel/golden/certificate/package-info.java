/** Certificates for tests of TLS. */
@NullMarked
package dev.semel.golden.certificate;

import org.jspecify.annotations.NullMarked;
