@NullMarked
package dev.semel.driver.execution;

import org.jspecify.annotations.NullMarked;
