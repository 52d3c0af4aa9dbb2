/**
 * A fault proxy for the MongoDB protocol: {@link dev.semel.blackpipe.proxy.Proxy} forwards the traffic of a server or a
 * replica set and injects the faults of its plan. Uses {@code fault} and {@code message}; start reading with {@code
 * Link}.
 */
@NullMarked
package dev.semel.blackpipe.proxy;

import org.jspecify.annotations.NullMarked;
