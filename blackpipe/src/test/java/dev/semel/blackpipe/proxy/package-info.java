@NullMarked
package dev.semel.blackpipe.proxy;

import org.jspecify.annotations.NullMarked;
