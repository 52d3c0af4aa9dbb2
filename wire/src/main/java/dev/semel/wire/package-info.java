/**
 * The bytes between client and server: raw BSON in {@code bson}, messages in {@code message}, and here what both ends
 * must agree on: error codes, limits, namespaces. Uses no other module.
 */
@NullMarked
package dev.semel.wire;

import org.jspecify.annotations.NullMarked;
