/**
 * What the fault proxy costs, measured beside a plain TCP relay with the same kind of threads. Start with {@code ProxyLoad}.
 */
@NullMarked
package dev.semel.bench.proxy;

import org.jspecify.annotations.NullMarked;
