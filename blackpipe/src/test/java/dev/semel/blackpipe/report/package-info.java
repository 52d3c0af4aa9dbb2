@NullMarked
package dev.semel.blackpipe.report;

import org.jspecify.annotations.NullMarked;
