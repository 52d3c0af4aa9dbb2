/**
 * The {@code semel} program, one file per subcommand. Start with {@link dev.semel.cli.Main}. Holds no logic of the product.
 */
@NullMarked
package dev.semel.cli;

import org.jspecify.annotations.NullMarked;
