/**
 * How the source looks: one test that every file is formatted. {@code dev/format} makes it so. Ships nothing, uses nothing.
 */
@NullMarked
package dev.semel.format;

import org.jspecify.annotations.NullMarked;
