@NullMarked
package dev.semel.query.expression;

import org.jspecify.annotations.NullMarked;
