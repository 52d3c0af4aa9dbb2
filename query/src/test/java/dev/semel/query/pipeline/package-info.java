@NullMarked
package dev.semel.query.pipeline;

import org.jspecify.annotations.NullMarked;
