@NullMarked
package dev.semel.driver.logging;

import org.jspecify.annotations.NullMarked;
