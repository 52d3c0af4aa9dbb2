@NullMarked
package dev.semel.driver.operation;

import org.jspecify.annotations.NullMarked;
