/** A concert hall on Spring Boot 3.5. */
@NullMarked
package dev.semel.samples.boot35;

import org.jspecify.annotations.NullMarked;
