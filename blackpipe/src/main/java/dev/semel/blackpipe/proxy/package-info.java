/**
 * A proxy that understands frames: {@link dev.semel.blackpipe.proxy.Proxy} stands before a server or a replica set and
 * does to the traffic what its plan says. Uses {@code fault} and {@code message}; start reading with {@code Link}.
 */
@NullMarked
package dev.semel.blackpipe.proxy;

import org.jspecify.annotations.NullMarked;
