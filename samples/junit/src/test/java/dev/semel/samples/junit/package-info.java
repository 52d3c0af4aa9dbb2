@NullMarked
package dev.semel.samples.junit;

import org.jspecify.annotations.NullMarked;
