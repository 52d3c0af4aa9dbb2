/** What is written for the official driver, and runs with other imports. */
@NullMarked
package dev.semel.conformance.moving;

import org.jspecify.annotations.NullMarked;
