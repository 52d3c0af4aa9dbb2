@NullMarked
package dev.semel.driver.setting;

import org.jspecify.annotations.NullMarked;
