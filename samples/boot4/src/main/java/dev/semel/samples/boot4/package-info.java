/** A store on Spring Boot 4. */
@NullMarked
package dev.semel.samples.boot4;

import org.jspecify.annotations.NullMarked;
