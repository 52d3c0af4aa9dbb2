/** The engine that keeps everything in the heap: one immutable tree per table, replaced by each batch. */
@NullMarked
package dev.semel.store.memory;

import org.jspecify.annotations.NullMarked;
