/** Looking up names: the addresses of a host, and the seed list of a name, which is looked up again and again. */
@NullMarked
package dev.semel.driver.dns;

import org.jspecify.annotations.NullMarked;
