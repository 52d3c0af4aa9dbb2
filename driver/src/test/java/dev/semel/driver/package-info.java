@NullMarked
package dev.semel.driver;

import org.jspecify.annotations.NullMarked;
