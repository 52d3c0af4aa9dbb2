/** What Spring Boot 4 takes as the place of its database. Uses the server that {@code dev.semel.spring} made for the test. */
@NullMarked
package dev.semel.spring.boot4;

import org.jspecify.annotations.NullMarked;
