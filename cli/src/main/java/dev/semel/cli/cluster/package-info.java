/** {@code semel cluster}: a replica set of several processes on this machine. */
@NullMarked
package dev.semel.cli.cluster;

import org.jspecify.annotations.NullMarked;
