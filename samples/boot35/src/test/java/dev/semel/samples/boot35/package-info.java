@NullMarked
package dev.semel.samples.boot35;

import org.jspecify.annotations.NullMarked;
