@NullMarked
package dev.semel.driver.connection;

import org.jspecify.annotations.NullMarked;
