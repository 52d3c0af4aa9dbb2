/** Keys: ranges of them, and how values become bytes that sort as the values do. Uses only {@code wire}. */
@NullMarked
package dev.semel.store.key;

import org.jspecify.annotations.NullMarked;
