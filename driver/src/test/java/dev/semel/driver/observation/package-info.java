@NullMarked
package dev.semel.driver.observation;

import org.jspecify.annotations.NullMarked;
