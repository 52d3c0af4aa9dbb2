@NullMarked
package dev.semel.blackpipe;

import org.jspecify.annotations.NullMarked;
