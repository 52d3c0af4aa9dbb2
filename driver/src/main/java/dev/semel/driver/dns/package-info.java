/** Finding servers by name: the seed list behind one host name, looked up once and then again and again. */
@NullMarked
package dev.semel.driver.dns;

import org.jspecify.annotations.NullMarked;
