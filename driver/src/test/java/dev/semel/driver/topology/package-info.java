@NullMarked
package dev.semel.driver.topology;

import org.jspecify.annotations.NullMarked;
