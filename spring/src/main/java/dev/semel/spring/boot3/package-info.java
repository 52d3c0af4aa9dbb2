/** What Spring Boot 3 takes as the place of its database. Uses the server that {@code dev.semel.spring} made for the test. */
@NullMarked
package dev.semel.spring.boot3;

import org.jspecify.annotations.NullMarked;
