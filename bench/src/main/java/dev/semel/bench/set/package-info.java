/** What a replica set of several members costs, and how long the loss of its primary takes. */
@NullMarked
package dev.semel.bench.set;

import org.jspecify.annotations.NullMarked;
