@NullMarked
package dev.semel.blackpipe.fault;

import org.jspecify.annotations.NullMarked;
