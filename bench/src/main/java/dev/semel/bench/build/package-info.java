/**
 * What writers notice while an index is built. Start reading at {@link dev.semel.bench.build.IndexBuildLoad}.
 */
@NullMarked
package dev.semel.bench.build;

import org.jspecify.annotations.NullMarked;
