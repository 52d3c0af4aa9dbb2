@NullMarked
package dev.semel.blackpipe.tape;

import org.jspecify.annotations.NullMarked;
