@NullMarked
package dev.semel.junit;

import org.jspecify.annotations.NullMarked;
