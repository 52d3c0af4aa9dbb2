@NullMarked
package dev.semel.driver.gridfs;

import org.jspecify.annotations.NullMarked;
