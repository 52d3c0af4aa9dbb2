/** Reads the published driver specification tests. */
@NullMarked
package dev.semel.driver.spec;

import org.jspecify.annotations.NullMarked;
