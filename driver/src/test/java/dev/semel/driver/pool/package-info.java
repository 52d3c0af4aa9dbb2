@NullMarked
package dev.semel.driver.pool;

import org.jspecify.annotations.NullMarked;
