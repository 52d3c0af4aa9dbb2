/** What operations cost as a collection on disk grows. */
@NullMarked
package dev.semel.bench.scale;

import org.jspecify.annotations.NullMarked;
