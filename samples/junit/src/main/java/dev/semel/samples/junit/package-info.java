/** A shop that sells tickets: the application of this sample. */
@NullMarked
package dev.semel.samples.junit;

import org.jspecify.annotations.NullMarked;
