@NullMarked
package dev.semel.blackpipe.script;

import org.jspecify.annotations.NullMarked;
