@NullMarked
package dev.semel.blackpipe.audit;

import org.jspecify.annotations.NullMarked;
